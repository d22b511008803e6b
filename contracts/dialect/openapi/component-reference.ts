/** Returns the `$ref` to a component of an OpenAPI document. */
export const ref = (kind: string, name: string): { $ref: string } => ({ $ref: `#/components/${kind}/${name}` })
