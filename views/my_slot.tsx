/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** A slot of the name that is signed in, with the forms to write and to delete it. */

import { Html } from "@elysiajs/html";
import { Ask } from "./asks.tsx";
import type { Slot, SlotForm } from "../src/api/locker/locker.ts";
import { Badge, Fault, SlotValue, SubmitOrCancel, Time } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { SlotFields } from "./my_locker.tsx";
import { attribute, counted, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

interface MySlot {
  slot: string;
  /** As it is stored; null if it was deleted. */
  stored: Slot | null;
  /** The page on which everybody reads it; null if it is private. */
  public_url: string | null;
  form: SlotForm;
}

export async function mySlotPage(site: Site, { slot, stored, public_url, form }: MySlot): Promise<string> {
  const { base } = site;
  const locker = `${base}/me/locker`;
  const of_slot = <input type="hidden" name="slot" value={attribute(slot)} />;
  return (
    <Layout
      {...site}
      section="/locker"
      title={slot}
      description="A slot."
      noindex
      scripts={form.refusal ? [] : ["live.js"]}
    >
      <h1 safe>{slot}</h1>
      <p class="about" id="slot-state" data-live="copy">
        <State stored={stored} public_url={public_url} />
        <span class="ways">
          {" "}
          · <a href={locker}>Your locker</a>
        </span>
      </p>
      <Fault text={form.refusal?.text} />
      {typeof form.changed === "string" ? (
        <>
          <h2>What it holds now</h2>
          <SlotValue value={form.changed} />
          <h2>What you entered</h2>
        </>
      ) : (
        stored !== null && (
          <div class="on-paper">
            <SlotValue value={stored.value} />
          </div>
        )
      )}
      {form.value !== undefined && (
        <form method="post" action={locker}>
          {of_slot as "safe"}
          <SlotFields form={form} />
          {stored?.value.includes("\r") && (
            <p class="about">Its lines end with CR LF. Saving here stores them with LF.</p>
          )}
          <SubmitOrCancel text="Save" back={locker} />
        </form>
      )}
      {stored !== null && (
        <Ask
          text="Delete this slot"
          asks={`Delete the slot “${revealed(slot)}”? Nobody can restore what it holds.`}
          action={locker}
          fields={{ slot, version: String(stored.version), delete: "1" }}
          button="Delete it for good"
        />
      )}
    </Layout>
  );
}

function State({ stored, public_url }: Pick<MySlot, "stored" | "public_url">) {
  if (!stored) return <Badge text="deleted" is="off" />;
  const { public: is_public, bytes, version, updated, expires_at } = stored;
  return (
    <>
      <Badge text={is_public ? "public" : "private"} /> {counted(bytes, "byte") as "safe"} · version {version}{" "}
      · written <Time at={updated} />
      {expires_at !== undefined && (
        <>
          {" "}
          · ends <Time at={expires_at} />
        </>
      )}
      {public_url !== null && (
        <>
          <span class="ways">
            {" "}
            · <a href={attribute(public_url)}>What everybody reads</a>
          </span>
        </>
      )}
    </>
  );
}
