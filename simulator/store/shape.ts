/** What a value that came from elsewhere should be, as JSON Schema. */
export type Shape = { readonly [keyword: string]: unknown; readonly contentSchema?: Shape }

export const text = { type: 'string' }
export const yesOrNo = { type: 'boolean' }
/** A whole number from nothing on: minor units, milliseconds, times of doing something. */
export const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
export const oneOf = (words: readonly unknown[]): Shape => ({ enum: [...new Set(words)] })
export const listOf = (items: Shape): Shape => ({ type: 'array', items })
export const mapOf = (additionalProperties: Shape): Shape => ({ type: 'object', additionalProperties })
export const either = (...anyOf: readonly Shape[]): Shape => ({ anyOf })
/** A text that is JSON of this shape. */
export const jsonOf = (contentSchema: Shape): Shape => ({ ...text, contentSchema })

type MayMiss<Type> = { [Name in keyof Type]-?: object extends Pick<Type, Name> ? Name : never }[keyof Type]
type Shapes<Name extends PropertyKey> = { readonly [Each in Name]: Shape }

/** An object with a shape for every member that the type has: those that it must have, then those that may be missing. */
export const objectOf = <Type>(
  must: Shapes<Exclude<keyof Type, MayMiss<Type>>>,
  ...may: [MayMiss<Type>] extends [never] ? [] : [Shapes<MayMiss<Type>>]
): Shape => ({ type: 'object', required: Object.keys(must), properties: Object.assign({}, must, ...may) })
