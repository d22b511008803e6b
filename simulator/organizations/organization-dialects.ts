import { createDialect, type Dialect } from '../../contracts/dialect/dialect.ts'
import { ProfileError, parseDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import type { Store } from '../store/store.ts'
import { ControlError } from '../support/control-error.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import { decisionsChosenOtherwise } from './dialect-decisions-chosen-otherwise.ts'

/** The dialects of single organizations, which control and portal set. */
export type OrganizationDialects = ReturnType<typeof createOrganizationDialects>

/** Most bytes of a profile that control and portal take: what is longer would hold up the event loop as it is parsed. */
const MAX_BYTES = 32_768

type Parts = { store: Store; dialects: DialectRegistry; onChange: (organizationId: string) => void }

/** Creates the functions that give an organization a dialect of its own, which lasts until it is taken away. */
export const createOrganizationDialects = ({ store, dialects, onChange }: Parts) => {
  const listeners: ((organizationId: string) => Promise<void>)[] = []
  const use = async (organizationId: string, text: string | undefined): Promise<Dialect> => {
    const dialect = text === undefined ? undefined : parse(text)
    await store.setDialect(organizationId, text)
    dialects.use(organizationId, dialect)
    onChange(organizationId)
    for (const listener of listeners) await listener(organizationId)
    return dialects.of(organizationId)
  }
  /** Takes over what the store has; a profile that this version cannot read leaves the usual dialect, and a sentence. */
  const refresh = (organizationId: string, text: string | undefined): string[] => {
    try {
      dialects.use(organizationId, text === undefined ? undefined : parse(text))
      return []
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      dialects.use(organizationId, undefined)
      return [`${organizationId} speaks the usual dialect, as its own cannot be read: ${error.message}`]
    }
  }
  return {
    of: dialects.of,
    /** Calls a function after control changed a dialect, before the caller gets its response. */
    onChange: (listener: (organizationId: string) => Promise<void>) => void listeners.push(listener),
    /** The decisions that an organization's dialect chooses otherwise than usual, and how many are usual. */
    decisions: (organizationId: string) => decisionsChosenOtherwise(dialects.of(organizationId).choices),
    /** The text of the organization's own profile; undefined where it speaks the sandbox's usual dialect. */
    text: async (organizationId: string): Promise<string | undefined> =>
      (await store.organization(organizationId))?.dialect,
    /** Lets an organization speak the dialect of a profile, YAML or JSON; throws `invalid` with line and cure. */
    set: async (organizationId: string, text: string): Promise<Dialect> => {
      if (Buffer.byteLength(text) <= MAX_BYTES) return use(organizationId, text)
      throw new ControlError(
        'invalid',
        `profile is larger than ${MAX_BYTES} bytes: leave out its comments, and what is no line of a dialect.`,
      )
    },
    /** Lets an organization speak the sandbox's usual dialect again. */
    clear: (organizationId: string): Promise<Dialect> => use(organizationId, undefined),
    /** Reads the dialect of an organization anew, or of all, as the store has them; returns a sentence for each unreadable one. */
    refresh: async (organizationId?: string): Promise<string[]> => {
      if (organizationId !== undefined)
        return refresh(organizationId, (await store.organization(organizationId))?.dialect)
      return (await store.organizations()).flatMap(({ organizationId: id, dialect }) => refresh(id, dialect))
    },
  }
}

const parse = (text: string): Dialect => {
  try {
    return createDialect(parseDialectLines('profile', text))
  } catch (error) {
    throw error instanceof ProfileError ? new ControlError('invalid', error.message) : error
  }
}
