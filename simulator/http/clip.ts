const LONGEST = 100

/** What a client sent, cut to what people read: no refusal and no journal grows with the nonsense that it is about. */
export const clip = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
