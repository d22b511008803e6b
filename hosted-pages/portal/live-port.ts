import type { Wish } from './wish.ts'

/** The lanes of a timeline from top to bottom: at one instant, what stands higher came first. */
export const LANES = ['clock', 'shopper', 'call', 'state', 'webhook'] as const
export type Lane = (typeof LANES)[number]

/** How it went: for the colour of a mark. */
export type Tone = 'good' | 'bad' | 'plain'

/** One thing that happened to a payment, or will; all times are on the organization's clock. */
export type Mark = { at: number; tone: Tone /** The clock will bring it. */; planned?: true } & (
  | { lane: 'clock'; way: ClockWay; until: number; rate: number; ran: number }
  | { lane: 'shopper'; action: string; late?: true }
  | CallMark
  | StateMark
  | WebhookMark
)

export type ClockWay = 'advance' | 'next' | 'to' | 'drain' | 'freeze' | 'real' | 'scale'

export type CallMark = {
  lane: 'call'
  callId: string
  /** The operation, or the end of the path where it was refused before it got to one. */
  name: string
  method: string
  target: string
  status: number
  durationMilliseconds: number
  reasonCode?: string
  message?: string
  /** The layer that refused. */
  refusedBy?: string
  replayed?: true
  scenario?: string
  /** A run of so many calls that were answered alike, the last of them at this time. */
  times?: number
  lastAt?: number
}

export type StateMark = {
  lane: 'state'
  /** The event, such as payment.captured; of what is to come, the deadline. */
  name: string
  cause?: string
  state?: string
  reasonCode?: string
  message?: string
  amount?: number
}

export type WebhookMark = {
  lane: 'webhook'
  /** The type of the notification. */
  name: string
  /** Where it went; absent: it waits in the inbox. */
  url?: string
  deliveryId?: string
  /** Which try this is, from 1. */
  nth?: number
  status?: number
  error?: string
  durationMilliseconds?: number
}

/** A payment with everything that happened to it, in the order of its happening. */
export type TimelineView = PaymentRow & {
  now: number
  marks: readonly Mark[]
}

/** A payment as a list shows it; the amount in minor units. */
export type PaymentRow = {
  transactionId: string
  clientTransactionId: string
  providerId: string
  state: string
  status: string
  amount: number
  currency: string
  description: string
  createdAt: number
}

/** A call and its answer as the journal keeps them, secrets masked. */
export type CallView = {
  callId: string
  /** Real time of the answer, ISO 8601. */
  at: string
  /** When the call came in, on the organization's clock. */
  clock?: string
  durationMilliseconds: number
  operation?: string
  request: { method: string; target: string; headers: Readonly<Record<string, string>>; body: string }
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string }
  /** The layer that refused and why; other members are what only the operator may know. */
  refused?: Readonly<Record<string, string>> & { layer: string; reason: string }
  signature?: { keyId: string; reading: string; encoding: string }
  replayed?: true
  script?: ScriptView
  varied?: readonly string[]
  spoiled?: string
}

/** Who answered in the provider's place, and every mock that was looked at with the first thing that differed. */
export type ScriptView = { scenario?: string; by?: string; type?: string; mocks?: readonly MockNoteView[] }
export type MockNoteView = { key: { type: string; value: string }; type: string; scenario?: string } & (
  | { matched: true }
  | { differed: string; expected: string; got: string }
)

/** What narrows the journal, as its form and its address write it. */
export const CALL_WISHES = ['q', 'path', 'status', 'transactionId', 'reasonCode'] as const
export type CallWish = Partial<Record<(typeof CALL_WISHES)[number], string | undefined>>

/** Whose journal: an organization's, or that of callers that nobody knows. */
export type Whose = string | undefined

export type JournalPort = {
  /** Newest first, from behind a call on. */
  page(whose: Whose, wish: CallWish & { before?: string | undefined; limit: number }): CallPage
  find(whose: Whose, callId: string): Promise<CallView | undefined>
  /** Calls as they are answered; nothing in them now and then. Ends when the reader goes or the simulator stops. */
  follow(whose: Whose, wish: CallWish, reader: Reader): AsyncIterable<{ calls: readonly CallView[]; missed: number }>
}
export type CallPage = { calls: readonly CallView[]; more: boolean }
export type Reader = { after?: string | undefined; signal: AbortSignal }

export type PaymentsPort = {
  list(organizationId: string, wish: PaymentWish): Promise<Wish<{ payments: readonly PaymentRow[]; next?: string }>>
  timeline(organizationId: string, transactionId: string): Promise<TimelineView | undefined>
}
export type PaymentWish = Partial<Record<'transactionId' | 'clientTransactionId' | 'status' | 'before', string>> & {
  limit: number
}

export type ScenariosPort = {
  all(): readonly ScenarioView[]
  /** Newest first. */
  mocks(organizationId: string): Promise<readonly MockView[]>
  setMock(organizationId: string, wish: MockWish): Promise<Wish<true>>
}
/** A scenario with what it does in sentences of its own data: who acts and what comes of it. */
export type ScenarioView = {
  name: string
  title: string
  clauses: readonly string[]
  providers: readonly string[]
  magic?: { blikCode?: string; amount?: number }
  steps: readonly { step: string; outcome: string; more: readonly string[] }[]
}
export type MockView = {
  processingAccountId: string
  key: { type: string; value: string }
  type: string
  scenario?: string
  oneTime: boolean
  steps: readonly string[]
  used: readonly string[]
  setAt: number
  expiresAt: number
}
export type MockWish = Partial<Record<'processingAccountId' | 'keyType' | 'key' | 'type' | 'scenario', string>> & {
  oneTime: boolean
}

export type ClockPort = {
  look(organizationId: string): Promise<ClockState>
  /** By the name of the button; the answer tells what came of it. */
  move(organizationId: string, move: ClockMove): Promise<Wish<ClockMoved>>
}
export type ClockMove =
  | { way: 'advance'; duration: string }
  | { way: 'scale'; rate: string }
  | { way: 'next' | 'freeze' | 'real' | 'drain' }
export type ClockMoved = { ran: number; deliveries: number; from: number; now: number }
export type ClockState = {
  now: number
  mode: 'real' | 'frozen' | 'scaled'
  rate: number
  coming: readonly ComingView[]
}
export type ComingView = { at: number; name: string; transactionId?: string; deliveryId?: string }
