import type { Context } from 'hono'

/**
 * Reads the ids, name and role of what a call of control or portal created, from the response of control or as the form of
 * the portal noted them; the id of a phone is a credential, and left out.
 */
export const createdBy = async ({ res, env }: Context): Promise<Readonly<Record<string, string>>> => {
  const members = Object.entries((env as { created?: object } | undefined)?.created ?? (await createdIn(res)))
  const ids = members.filter(
    ([name, id]) => /(^name|^role|^fingerprint|Id)$/.test(name) && name !== 'phoneId' && typeof id === 'string',
  )
  return Object.fromEntries(ids)
}

const createdIn = async (response: Response): Promise<object> =>
  response.status === 201 && response.headers.get('content-type')?.startsWith('application/json')
    ? ((await response.clone().json()) as object)
    : {}
