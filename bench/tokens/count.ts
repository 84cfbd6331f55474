/** Counts tokens with o200k_base, the encoding of the models that most agents of today run on or resemble. */

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

export interface Measure {
  what: string;
  tokens: number;
  /** The most that it may be. */
  budget?: number;
}

export const tokensOf = (text: string): number => countTokens(text);
