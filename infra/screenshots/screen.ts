import type { Page } from 'playwright-core'
import type { Person } from '#shared/test-kit/person.ts'

export type Size = 'wide' | 'phone'
export interface Walk {
  page: Page
  size: Size
  /** Pages of two others, in English. */
  caller: Page
  third: Page
  people: Map<string, Person>
}
export type Step = (walk: Walk) => Promise<unknown>
export interface Screen {
  name: string
  open: Step
  /** Goes on with the page of the screen before; others start with a new page. */
  continues?: true
  only?: Size
  /** After the pictures. */
  tidy?: Step
}
