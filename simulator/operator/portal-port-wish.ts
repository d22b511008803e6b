import type { Wish } from '../../hosted-pages/portal/wish.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator's error says is for the page to show; any other error is a fault of ours. */
export const wish = async <Value>(meet: () => Promise<Value>): Promise<Wish<Value>> => {
  try {
    return { done: await meet() }
  } catch (error) {
    if (error instanceof OperatorError) return { refused: error.message }
    throw error
  }
}

/** What is looked for, or undefined where there is none. */
export const found = async <Value>(look: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await look()
  } catch (error) {
    if (error instanceof OperatorError && error.kind === 'unknown') return undefined
    throw error
  }
}
