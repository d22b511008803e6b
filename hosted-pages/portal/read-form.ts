import type { Context } from 'hono'

/** What a form brought: text by name, of several of one name the last. */
export const readForm = async (c: Context): Promise<Record<string, string>> => {
  const form = await c.req.parseBody().catch(() => ({}))
  return Object.fromEntries(Object.entries(form).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >
}

/** What was ticked under one name. */
export const readTicks = async (c: Context, name: string): Promise<string[]> => {
  const form: Record<string, unknown> = await c.req.parseBody({ all: true }).catch(() => ({}))
  return [form[name] ?? []].flat().filter(value => typeof value === 'string')
}
