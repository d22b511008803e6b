/** Style in which a deployment writes member names of several words. */
export type Naming = 'camelCase' | 'snake_case'

/** Converters of member names, from the document to a deployment and back, by naming style. */
export const MEMBER_NAMINGS: Readonly<Record<Naming, { write(name: string): string; read(name: string): string }>> = {
  camelCase: { write: name => name, read: name => name },
  snake_case: {
    write: name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
    read: name => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  },
}
