/** How a deployment writes member names of several words. */
export type Naming = 'camelCase' | 'snake_case'

/** Converts member names of the document to those of a deployment, and back. */
export const MEMBER_NAMINGS: Readonly<Record<Naming, { write(name: string): string; read(name: string): string }>> = {
  camelCase: { write: name => name, read: name => name },
  snake_case: {
    write: name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
    read: name => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  },
}
