import { oneLine } from '../one-line.ts'

/** Why an operator's wish cannot be met, in one sentence: nothing of that name, nonsense, or at odds with what is there. */
export class OperatorError extends Error {
  readonly kind: 'unknown' | 'invalid' | 'conflict'

  constructor(kind: OperatorError['kind'], message: string) {
    super(oneLine(message))
    this.kind = kind
  }
}
