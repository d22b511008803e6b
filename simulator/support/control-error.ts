import { toSingleLine } from './untrusted-text.ts'

/** An error of control or the portal, in one sentence: unknown name (404), invalid input (400) or conflict (409). */
export class ControlError extends Error {
  readonly kind: 'unknown' | 'invalid' | 'conflict'

  constructor(kind: ControlError['kind'], message: string) {
    super(toSingleLine(message))
    this.kind = kind
  }
}
