/** Changes of the own sidebar: shown at once, and taken back with a notice if the server refuses. */
import { batch } from '@preact/signals'
import type { PreferencesPayload } from '#shared/domain/payloads/account.ts'
import type { SidebarSectionPayload } from '#shared/domain/payloads/sidebar.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { nameOf } from '../../store/channels/names.ts'
import { held } from '../../store/held.ts'
import { report } from '../../store/reports.ts'
import {
  type Choice,
  choiceOf,
  guessChoice,
  sections,
  takeChoices,
} from '../../store/sidebar/channel-choices.ts'
import { sidebarLook, takeLook } from '../../store/sidebar/sidebar.ts'
import type { Place } from '../../store/sidebar/sidebar-places.ts'
import { beginChange, endChange, isLastChange } from '../../store/sidebar/sidebar-revision.ts'
import { postJson, request, sidebar, whole } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { setPreferences } from '../requests/lazy-endpoints.ts'

const patch = (path: string, body: unknown) => postJson(path, body, { method: 'PATCH' })
const prefsOf = (channel: ChannelId) => `/channel_prefs/${encodeURIComponent(channel)}`

let last: Promise<unknown> = Promise.resolve()

/** In the order of the calls, also after a fault. Returns false if the server refused, which is reported under `name`, if given. */
function attempt(
  ask: () => Promise<unknown>,
  takeBack: () => void,
  name: string | undefined,
): Promise<boolean> {
  beginChange()
  held.noteEvent('sidebar', undefined)
  const run = async () => {
    try {
      await ask()
      return true
    } catch (error) {
      tolerateFailure(error)
      takeBack()
      if (name !== undefined) report({ what: 'channel-not-changed', name })
      return false
    } finally {
      await reload().finally(() => {
        const frame = endChange()
        if (frame) takeChoices(frame, true)
      })
    }
  }
  const turn = last.then(run, run)
  last = turn
  return turn
}

/** After the last change: the deferred frame may be older. */
async function reload() {
  if (!isLastChange()) return
  try {
    const payload = await sidebar()
    if (isLastChange()) takeChoices(payload)
  } catch (error) {
    tolerateFailure(error)
  }
}

function guess(channels: readonly ChannelId[], patchOf: (channel: ChannelId) => Partial<Choice>) {
  const before = channels.map(choiceOf)
  batch(() => {
    for (const channel of channels) guessChoice(channel, patchOf(channel))
  })
  return () =>
    batch(() => {
      for (const choice of before) {
        const { level, favourite, section, position } = choice
        guessChoice(choice.channel, { level, favourite, section, position })
      }
    })
}

export function chooseForChannel(
  channel: ChannelId,
  choice: Partial<Pick<Choice, 'level' | 'favourite' | 'section'>>,
): Promise<boolean> {
  const isMoved = choice.favourite !== undefined || choice.section !== undefined
  const takeBack = guess([channel], () => ({ ...choice, ...(isMoved && { position: null }) }))
  return attempt(() => patch(prefsOf(channel), choice), takeBack, nameOf(channel))
}

/** `order`: the first channels of the place, with this one; those behind it have no position. */
export function moveChannel(channel: ChannelId, place: Place, order: ChannelId[]): Promise<boolean> {
  const where =
    place === 'favourites'
      ? { favourite: true }
      : { favourite: false, section: typeof place === 'number' ? place : null }
  const takeBack = guess(order, one => ({
    position: order.indexOf(one) + 1,
    ...(one === channel && where),
  }))
  return attempt(() => patch(prefsOf(channel), { ...where, order }), takeBack, nameOf(channel))
}

/** Rows that were placed by hand return to the order of their place. */
export function forgetPositions(channels: readonly ChannelId[], name: string): Promise<boolean> {
  const takeBack = guess(channels, () => ({ position: null }))
  return attempt(
    async () => {
      for (const channel of channels) await patch(prefsOf(channel), { before: null })
    },
    takeBack,
    name,
  )
}

/** Returns the id of the new section; undefined if it was refused. */
export async function makeSection(
  name: string,
  { isReported = true, ...more }: { collapsed?: boolean; before?: number; isReported?: boolean } = {},
): Promise<number | undefined> {
  let id: number | undefined
  await attempt(
    async () => {
      const made: { id: number } = await whole((await postJson('/sections', { name, ...more })).json())
      id = made.id
    },
    () => {},
    isReported ? name : undefined,
  )
  return id
}

type SectionChange = Partial<Pick<SidebarSectionPayload, 'name' | 'collapsed'>>

export function changeSection(
  section: SidebarSectionPayload,
  change: SectionChange,
  isReported = true,
): Promise<boolean> {
  const replace = (by: SidebarSectionPayload) => {
    sections.value = sections.peek().map(one => (one.id === section.id ? by : one))
  }
  replace({ ...section, ...change })
  return attempt(
    () => patch(`/sections/${section.id}`, change),
    () => replace(section),
    isReported ? section.name : undefined,
  )
}

/** `before`: the id of the section that follows; null: last. */
export function moveSection(section: SidebarSectionPayload, before: number | null): Promise<boolean> {
  const all = sections.peek()
  const others = all.filter(({ id }) => id !== section.id)
  const at = others.findIndex(({ id }) => id === before)
  sections.value = at < 0 ? [...others, section] : others.toSpliced(at, 0, section)
  return attempt(
    () => patch(`/sections/${section.id}`, { before }),
    () => {
      sections.value = all
    },
    section.name,
  )
}

/** Its channels go to their usual place. */
export function removeSection(section: SidebarSectionPayload): Promise<boolean> {
  const all = sections.peek()
  sections.value = all.filter(({ id }) => id !== section.id)
  return attempt(
    () => request(`/sections/${section.id}`, { method: 'DELETE' }),
    () => {
      sections.value = all
    },
    section.name,
  )
}

export function chooseLook(change: Partial<PreferencesPayload['sidebar']>, name: string): Promise<boolean> {
  const before = sidebarLook.peek()
  const look = { ...before, ...change }
  takeLook(look)
  return attempt(
    () => setPreferences({ sidebar: look }),
    () => takeLook(before),
    name,
  )
}
