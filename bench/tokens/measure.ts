/** Counts the tokens (o200k_base) of what agents read: results of tools, answers, definitions and documents. */

import { conversation } from "./conversation.ts";
import { tokensOf, type Measure } from "./count.ts";
import { other_services } from "./others.ts";
import { question, sample } from "./sample.ts";
import { documents, singleCalls } from "./single_calls.ts";
import { startCountedService } from "./service.ts";

/** Measures everything at a service of its own. Two runs of the same source differ by the random values of the beacon only. */
export async function measureTokens(): Promise<Measure[]> {
  const service = await startCountedService();
  try {
    return [...(await conversation(service)), ...(await singleCalls(service)), ...(await documents(service))];
  } finally {
    await service.stop();
  }
}

export const text_tokens = sample.reduce((sum, { text }) => sum + tokensOf(text), 0);
/** The title of the conversation, as far as an answer has it. */
const titleIn = (answer: string): number => (answer.includes(question) ? tokensOf(question) : 0);

/** The sample as other services return it: the tokens around each post. */
export const measureOthers = (): (Measure & { documented: string })[] =>
  other_services.map(({ what, documented, answer }) => {
    const given = answer(sample);
    const beside = tokensOf(given) - titleIn(given) - text_tokens;
    return { what, documented, tokens: beside / sample.length };
  });
