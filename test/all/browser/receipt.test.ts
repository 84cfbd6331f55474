/** The page of receipts in a browser: a receipt that is pasted, chosen or dropped, a forged one, and the text itself. */

import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { post } from "../../support/http.ts";
import { issueAll } from "../../support/receipts.ts";
import { open } from "../../support/rooms.ts";
import { readings, useBrowser } from "./support/browser.ts";

const browser = useBrowser();
const text = "It is worth\nwhat you can check.";

const newReceipt = async (): Promise<string> => {
  const issued = await issueAll(browser.wharf.url);
  return issued.find(({ says }) => says.act === "meet.speak")!.receipt;
};

/** The same receipt with another name, signed by a key of somebody else; under the service's id with `is_own_id`. */
function forged(receipt: string, is_own_id: boolean): string {
  const [header, payload] = receipt
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ ...header, ...(!is_own_id && { kid: "mine" }) })}.${part({ ...payload, sub: "Eve" })}`;
  return `${signed}.${sign(null, Buffer.from(signed), generateKeyPairSync("ed25519").privateKey).toString("base64url")}`;
}

describe("with scripts", () => {
  test("a pasted receipt is checked by the browser and sent nowhere, and so is its text", async () => {
    const receipt = await newReceipt();
    const page = await browser.openPage({ width: 390 });
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await page.goto("/receipt");
    await page.locator("#who-checks", { hasText: "sends it nowhere" }).waitFor();
    await page.fill("#receipt", JSON.stringify({ n: 1, receipt }));
    expect(await page.locator("#result h2").textContent()).toBe("The receipt is valid");
    expect(await page.locator("#result .lead").textContent()).toMatch(
      /^Zoë posted a text in the room .* UTC; the/,
    );
    expect(await page.locator("#result").textContent()).toContain("Checked by this browser");
    await page.fill("#text", text);
    await page.locator("#compared", { hasText: "This is the text" }).waitFor();
    await page.fill("#text", `${text} `);
    await page.locator("#compared", { hasText: "This is not the text" }).waitFor();
    await page.click("#receipt-form .main");
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/receipt");
    expect(sent.filter((line) => line.includes("eyJ") || line.includes("worth"))).toEqual([]);
  });

  test("a text whose lines end with CR and LF is compared, although browsers paste it with LF", async () => {
    const { api } = await open(browser.wharf.url, "Which line ends?");
    const receiptOf = async (body: string) =>
      (await post<{ receipt: string }>(`${api}/posts?receipt=1`, { name: "ada", body })).body.receipt;
    const page = await browser.openPage();
    await page.goto("/receipt");
    await page.locator("#choose-file").waitFor();
    const compared = page.locator("#compared");
    await page.fill("#receipt", await receiptOf("One.\r\nTwo."));
    for (const pasted of ["One.\r\nTwo.", "One.\nTwo.", "One.\nTwo.\n"]) {
      await page.fill("#text", pasted);
      await compared.getByText("This is the text").waitFor();
      await page.fill("#text", "One. Two.");
      await compared.getByText("This is not the text").waitFor();
    }
    expect(await compared.textContent()).not.toContain("line ends");
    await page.fill("#receipt", await receiptOf("One.\r\nTwo.\nThree."));
    await page.fill("#text", "One.\r\nTwo.\nThree.");
    await compared
      .getByText(`wharf receipt verify receipt.txt --url ${browser.wharf.url}/ --text text.txt`)
      .waitFor();
  });

  test("a receipt in a file is checked when it is chosen or dropped", async () => {
    const receipt = await newReceipt();
    const page = await browser.openPage();
    await page.goto("/receipt");
    await page.locator("#choose-file").waitFor();
    await page.setInputFiles("#receipt-file", {
      name: "r.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(receipt),
    });
    await page.locator("#result h2", { hasText: "is valid" }).waitFor();
    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["no receipt"], "r.txt"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
    });
    await page.locator("#result h2", { hasText: "not valid" }).waitFor();
    expect(await page.isVisible("#compare")).toBe(false);
  });

  test("a forged receipt is signed by another key, or its signature does not fit", async () => {
    const receipt = await newReceipt();
    const page = await browser.openPage();
    await page.goto("/receipt");
    await page.locator("#choose-file").waitFor();
    await page.fill("#receipt", forged(receipt, false));
    await page.locator("#result h2", { hasText: "signed by a key that is not ours" }).waitFor();
    await page.fill("#receipt", forged(receipt, true));
    await page.locator("#result .lead", { hasText: "The signature does not fit" }).waitFor();
    expect(await page.locator("#result").textContent()).not.toContain("Eve");
  });

  test("a receipt in a link is checked at once", async () => {
    const page = await browser.openPage();
    await page.goto(`/receipt?r=${await newReceipt()}`);
    await page.locator("#result", { hasText: "Checked by this browser" }).waitFor();
  });

  test("a browser without Ed25519 says so and leaves the check to the service", async () => {
    const page = await browser.openPage();
    await page.addInitScript(() => {
      SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException("no", "NotSupportedError"));
    });
    await page.goto("/receipt");
    await page.locator("#who-checks", { hasText: "cannot check signatures with Ed25519" }).waitFor();
    await page.fill("#receipt", await newReceipt());
    await page.click("#receipt-form .main");
    expect(await page.locator("#result h2").textContent()).toBe("The receipt is valid");
  });
});

test("without scripts, the service checks the receipt that the form posts", async () => {
  const receipt = await newReceipt();
  const page = await browser.openPage({ script: false, width: 390 });
  await page.goto("/receipt");
  await page.fill("#receipt", receipt);
  await page.click("#receipt-form .main");
  expect(new URL(page.url()).search).toBe("");
  expect(await page.locator("#result h2").textContent()).toBe("The receipt is valid");
  await page.fill("#receipt", forged(receipt, true));
  await page.click("#receipt-form .main");
  expect(await page.locator("#result h2").textContent()).toBe("The receipt is not valid");
});

test.each(readings)("%s, opening a room and claiming a name lead to a receipt", async (title, script) => {
  const page = await browser.openPage({ script, width: 390 });
  const expectValid = async (what: string) => {
    await page.getByRole("link", { name: "The receipt" }).click();
    await page.locator("h2", { hasText: "The receipt is valid" }).waitFor();
    expect(await page.getByRole("main").innerText()).toContain(what);
  };
  await page.goto("/meet");
  await page.locator("#open [name=goal]").fill(`What has a receipt ${title}?`);
  await page.locator("#open [name=name]").fill("opener");
  await page.locator("#open button[type=submit]").click();
  await expectValid("opener opened");
  const name = `receiver ${title}`;
  await page.goto("/claim");
  await page.locator("main [name=name]").fill(name);
  await page.getByRole("button", { name: "Claim it" }).click();
  await expectValid(name);
});
