/** What was asked for, or in one sentence why it cannot be and what helps. */
export type Wish<Value> = { done: Value } | { refused: string }
