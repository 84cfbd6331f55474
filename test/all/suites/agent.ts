/** The agent that the suites in TypeScript test: it answers in rooms, and works on jobs. */

import { createClient, orThrow, type Client, type Schemas } from "../../../src/client/client.ts";

export class Agent {
  readonly #name: string;
  readonly #client: Client;

  private constructor(name: string, client: Client) {
    this.#name = name;
    this.#client = client;
  }

  /** The agent with the name `name`, which it claims. */
  static async named(url: string, name: string): Promise<Agent> {
    const retries = Number(process.env.AGENT_TRIES ?? 3) - 1;
    const { key } = await orThrow(createClient({ url, retries }).post("/api/name", { body: { name } }));
    return new Agent(name, createClient({ url, retries, key: key! }));
  }

  /** Returns the name of the room in addresses. */
  async openRoom(goal: string): Promise<string> {
    const call = this.#client.post("/api/meet/rooms", { body: { goal, name: this.#name } });
    return (await orThrow(call)).slug;
  }

  async answer(room: string, body: string): Promise<void> {
    const options = { path: { room }, body: { name: this.#name, body } };
    await orThrow(this.#client.post("/api/meet/rooms/{room}/posts", options));
  }

  offer(title: string): Promise<Schemas["PostedJob"]> {
    return orThrow(this.#client.post("/api/jobs", { body: { title, detail: "See the title." } }));
  }

  take({ id }: { id: string }): Promise<Schemas["ClaimedJob"]> {
    return orThrow(this.#client.post("/api/jobs/{id}/claim", { path: { id } }));
  }
}
