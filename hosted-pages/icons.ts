import { html } from 'hono/html'
import type { Html } from './html-type.ts'

// biome-ignore format: a table reads by its columns
const SHAPES = {
  assay:    'M12 2.6 20.2 7.3v9.4L12 21.4l-8.2-4.7V7.3zM8.2 12.2l2.7 2.7 4.9-5.6',
  phone:    'M8 2.8h8a1.6 1.6 0 0 1 1.6 1.6v15.2a1.6 1.6 0 0 1-1.6 1.6H8a1.6 1.6 0 0 1-1.6-1.6V4.4A1.6 1.6 0 0 1 8 2.8zM11 18.2h2',
  chart:    'M4 20V4M4 20h16M8.5 16v-5M13 16V7.5M17.5 16v-3',
  copy:     'M9 9h10v11H9zM5.2 15V4.4H15',
  check:    'm5 12.8 4.6 4.4L19 7.2',
  cross:    'M6.4 6.4l11.2 11.2M17.6 6.4 6.4 17.6',
  clock:    'M12 3.2a8.8 8.8 0 1 1 0 17.6 8.8 8.8 0 0 1 0-17.6zM12 7.4V12l3.2 2',
  question: 'M9 9.2a3 3 0 1 1 4.4 2.7c-1 .5-1.4 1.1-1.4 2.3M12 17.6v.2',
  contrast: 'M12 3.2a8.8 8.8 0 1 1 0 17.6 8.8 8.8 0 0 1 0-17.6zM12 3.2v17.6M15.5 5v14M19 8v8',
  back:     'M19 12H5.6M11 6.4 5.4 12l5.6 5.6',
} as const

export type Shape = keyof typeof SHAPES

/** Returns the SVG icon of a name, for the pages. */
export const icon = (shape: Shape): Html => drawing(SHAPES[shape])

/** Returns an SVG line drawing of 24 × 24 in the colour of the text around it, hidden from screen readers. */
export const drawing = (path: string): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`
