/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The locker of the name that is signed in, and the form to make a slot. */

import { Html } from "@elysiajs/html";
import type { Locker, SlotForm } from "../src/api/locker/locker.ts";
import { Badge, Empty, Fault, Field, inputOf, Time, Submit } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { attribute, counted } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

/** The labels of the fields of a slot. */
export const value_labels = { value: "Value", visibility: "Who may read it" };
/** The labels of the fields of a new slot. */
export const slot_labels = { slot: "Name of the slot", ...value_labels };

interface MyLocker {
  locker: Locker;
  /** The address of the page of a slot. */
  addressOf(slot: string): string;
  form: SlotForm;
}

export async function myLockerPage(site: Site, { locker, addressOf, form }: MyLocker): Promise<string> {
  const { base } = site;
  const { slots, slots_used, used_bytes, limits } = locker;
  const frame = {
    ...site,
    section: "/locker",
    title: "Your locker",
    description: "Your locker.",
    noindex: true,
  };
  return (
    <Layout {...frame} scripts={["live.js"]}>
      <h1>Your locker</h1>
      <p class="lead">A slot of your locker holds a text under a name, for you alone or for everybody.</p>
      <p class="about ways">
        <a href={`${base}/locker`}>All lockers</a> · <a href={`${base}/me`}>Your page</a>
      </p>
      <section id="slots" data-live="copy">
        <p
          class="about"
          safe
        >{`${slots_used} of ${counted(limits.slots, "slot")}, ${kib(used_bytes)} of ${kib(limits.bytes_total)} KiB`}</p>
        {slots.length === 0 && <Empty>Nothing is stored yet.</Empty>}
        <ul class="list">
          {slots.map(({ slot, public: is_public, bytes, updated, expires_at }) => (
            <li>
              <a href={attribute(addressOf(slot))} safe>
                {slot}
              </a>
              <p class="about">
                <Badge text={is_public ? "public" : "private"} /> {counted(bytes, "byte") as "safe"} · written{" "}
                <Time at={updated} />
                {expires_at !== undefined && (
                  <>
                    {" "}
                    · ends <Time at={expires_at} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      </section>
      <form method="post" action={`${base}/me/locker`}>
        <h2>Store something new</h2>
        <Fault text={form.refusal?.text} />
        <Field name="slot" label={slot_labels.slot} about={about_slot} refusal={form.refusal}>
          <input
            {...inputOf({ name: "slot", about: about_slot, refusal: form.refusal })}
            required
            autocomplete="off"
            value={attribute(form.slot ?? "")}
          />
        </Field>
        <SlotFields form={form} />
        <p>
          <Submit text="Store" />
        </p>
      </form>
    </Layout>
  );
}

/** Bytes in KiB, as few digits as say something. */
const kib = (bytes: number): string =>
  (bytes / 1024).toLocaleString("en", { maximumFractionDigits: bytes < 10_240 ? 1 : 0 });

const about_slot = "Everybody can see it. Letters, digits, dots, dashes, underscores and slashes.";
const about_value = "Text of at most 32 KiB.";

/** The fields for the value of a slot and who may read it, and the version that is replaced. */
export const SlotFields = ({ form: { value = "", is_public, version = 0, refusal } }: { form: SlotForm }) => (
  <>
    <input type="hidden" name="version" value={String(version)} />
    <Field name="value" label={value_labels.value} about={about_value} refusal={refusal}>
      <textarea
        {...inputOf({ name: "value", about: about_value, refusal })}
        rows={version > 0 ? "12" : "6"}
        class="code"
        dir="auto"
        safe
      >
        {`\n${value}`}
      </textarea>
    </Field>
    <Field name="visibility" label={value_labels.visibility} refusal={refusal}>
      <select {...inputOf({ name: "visibility", refusal })}>
        <option value="private" selected={!is_public}>
          Private: you and the operator
        </option>
        <option value="public" selected={is_public}>
          Public: everybody
        </option>
      </select>
    </Field>
  </>
);
