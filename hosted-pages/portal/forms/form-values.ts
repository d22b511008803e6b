import type { Context } from 'hono'

/** Reads the text fields of a submitted form by name; of several of one name the last. */
export const readFormValues = async (c: Context): Promise<Record<string, string>> => {
  const form = await c.req.parseBody().catch(() => ({}))
  return Object.fromEntries(Object.entries(form).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >
}

/** Reads the values of the checked boxes of one name in a submitted form. */
export const readCheckedValues = async (c: Context, name: string): Promise<string[]> => {
  const form: Record<string, unknown> = await c.req.parseBody({ all: true }).catch(() => ({}))
  return [form[name] ?? []].flat().filter(value => typeof value === 'string')
}
