/** Messages between the nodes of one database. They are for the moment: they are soon deleted, and some may be lost. */

export interface Messages {
  /** Sends texts to all other nodes, in this order. Rejects with a storage error: then they may have been sent or not. */
  send(texts: readonly string[]): Promise<void>;
  /** Calls `listener` with each text of another node. `node` distinguishes the senders. */
  onMessage(listener: (node: string, text: string) => void): void;
}
