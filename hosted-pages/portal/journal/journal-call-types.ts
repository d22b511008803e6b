/** A call of the API with its response, as the portal shows the journal: secrets are masked. */
export type CallView = {
  callId: string
  /** Real time of the response, ISO 8601. */
  at: string
  /** When the call came in, on the organization's clock. */
  clock?: string
  durationMilliseconds: number
  operation?: string
  request: { method: string; target: string; headers: Readonly<Record<string, string>>; body: string }
  response: { status: number; headers: Readonly<Record<string, string>>; body: string }
  /** What the bodies say in our own members, where the organization speaks another dialect. */
  document?: { request: string; response: string }
  /** The layer that refused and why; other members are what only the operator may know. */
  refused?: Readonly<Record<string, string>> & { layer: string; reason: string }
  /** Members of the request that its operation does not have, and the nearest that it has. */
  unknown?: readonly { member: string; nearest?: string }[]
  signature?: { keyId: string; reading: string; encoding: string }
  replayed?: true
  script?: ScriptView
  varied?: readonly string[]
  injectedFault?: string
}

/** Which scenario responded in the provider's place, and every mock that was considered, with its first difference. */
type ScriptView = {
  scenario?: string
  by?: string
  type?: string
  ordinaryAmount?: string
  mocks?: readonly MockNoteView[]
}
export type MockNoteView = { key: { type: string; value: string }; type: string; scenario?: string } & (
  | { matched: true }
  | { differed: string; expected: string; got: string }
)

/** Operations whose responses list what many payments came to. */
const LISTING: readonly (string | undefined)[] = ['search', 'reports', 'downloadReport']

/** Whether a call's response is about many payments, so that none of them is what the call came to. */
export const listsPayments = ({ operation }: CallView): boolean => LISTING.includes(operation)
