import fc from 'fast-check'
import type { Pointers } from '../../../contracts/dialect/member-places.ts'

/** Holders of members in generated dialects: none is the name of a member. */
const HOLDERS = ['', '/a', '/b/c']

/**
 * Creates the fast-check arbitrary of member places in a generated dialect, each of its own, at one to three segments; names need
 * escapes now and then.
 */
export const generatePlaces = (paths: readonly string[], most = 6): fc.Arbitrary<Pointers> =>
  fc
    .subarray([...paths], { maxLength: Math.min(most, paths.length) })
    .chain(chosen =>
      fc.tuple(
        ...chosen.map(path =>
          fc
            .tuple(fc.constantFrom(...HOLDERS), fc.constantFrom('', '~1y'))
            .map(([holder, more]) => [path, `${holder}/x${paths.indexOf(path)}${more}`] as const),
        ),
      ),
    )
    .map(places => Object.fromEntries(places) as Record<string, string>)

/** fast-check arbitrary of the place of a whole response in a generated dialect. */
export const anEnvelope = fc.constantFrom('', '/data', '/answer/body')
