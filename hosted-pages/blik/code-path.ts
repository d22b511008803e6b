import { paths } from '../paths.ts'
import type { CodeView } from '../port.ts'

/** Screens of a waiting payment beside the first one: after a PIN that is wrong, and the question whether to keep the shop. */
export const SCREENS = ['wrong-pin', 'keep'] as const
export type Screen = (typeof SCREENS)[number]

/** The address of a code on its phone, and of a screen of it. */
export const codePath = ({ organizationId, phoneId = '', codeId }: CodeView, screen?: Screen): string =>
  `${paths.phone(organizationId, phoneId)}/codes/${encodeURIComponent(codeId)}${screen ? `?screen=${screen}` : ''}`
