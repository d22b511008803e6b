/** Returns a reference to a component. */
export const ref = (kind: string, name: string): { $ref: string } => ({ $ref: `#/components/${kind}/${name}` })
