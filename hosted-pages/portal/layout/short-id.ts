/** Characters of a shortened id: enough to be told from a hundred thousand others. */
const SHOWN = 6

/**
 * Shortens an id for the portal to its end behind three dots, which the search finds as it stands: `…9f3c01`, of a
 * fingerprint `…9F:3C:01`. An id of ten characters or fewer stays.
 */
export const shortId = (id: string): string => {
  const shown = id.includes(':') ? SHOWN + 2 : SHOWN
  return id.length <= SHOWN + 4 ? id : `…${id.slice(-shown)}`
}
