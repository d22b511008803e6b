import { setImmediate } from 'node:timers/promises'
import { stopwatch } from './clock.ts'

/** Items that are worked on in one turn of the event loop: a few milliseconds for the largest of them. */
const SLICE = 200

/**
 * Generates a long list in slices, each in a turn of the event loop of its own, so that calls of others come between.
 */
export async function* slicesOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await setImmediate()
    yield items.slice(start, start + SLICE)
  }
}

/** Milliseconds of work of any cost per item before calls of others come between. */
const TURN = 10

/** Iterates over items whose work may be costly, so that calls of others come between, however long it takes in all. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let elapsed = stopwatch()
  for (const item of items) {
    yield item
    if (elapsed() < TURN) continue
    await setImmediate()
    elapsed = stopwatch()
  }
}

/** Collects what an iteration generates. */
export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Converts a long list to the text of a JSON array, slice by slice. */
export const jsonInSlices = async (items: readonly unknown[]): Promise<string> => {
  const texts: string[] = []
  for await (const slice of slicesOf(items)) texts.push(slice.map(item => JSON.stringify(item)).join(','))
  return `[${texts.join(',')}]`
}
