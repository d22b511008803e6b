/**
 * JSON Schema of a value in an imported snapshot; ajv ignores `contentSchema`, which describes JSON inside a string.
 */
export type JsonSchema = { readonly [keyword: string]: unknown; readonly contentSchema?: JsonSchema }

export const text = { type: 'string' }
export const flag = { type: 'boolean' }
/** JSON schema of a non-negative safe integer: minor units, milliseconds, counts. */
export const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
export const oneOf = (values: readonly unknown[]): JsonSchema => ({ enum: [...new Set(values)] })
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
export const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties })
export const anyOf = (...anyOf: readonly JsonSchema[]): JsonSchema => ({ anyOf })
/** Creates the JSON schema of a string that contains JSON of the given schema. */
export const jsonTextOf = (contentSchema: JsonSchema): JsonSchema => ({ ...text, contentSchema })

type OptionalKey<Type> = { [Name in keyof Type]-?: object extends Pick<Type, Name> ? Name : never }[keyof Type]
type SchemasOf<Name extends PropertyKey> = { readonly [Each in Name]: JsonSchema }

/** Creates the JSON schema of an object from one for each member of the type: first the required, then the optional. */
export const objectOf = <Type>(
  required: SchemasOf<Exclude<keyof Type, OptionalKey<Type>>>,
  ...optional: [OptionalKey<Type>] extends [never] ? [] : [SchemasOf<OptionalKey<Type>>]
): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: Object.assign({}, required, ...optional),
})
