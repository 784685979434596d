/** Unsaved changes on the profile page, and saving them. */
import { batch, computed, signal } from '@preact/signals'
import type { PresenceOverride } from '#shared/domain/payloads/people.ts'
import { chooseStatus } from '../../net/people/choose-status.ts'
import { profileChanged } from '../../net/people/profiles.ts'
import { putAvatar, removeAvatar, setNameColor } from '../../net/requests/account-endpoints.ts'
import { nameColors } from '../../store/people/profiles.ts'
import { override, viewer } from '../../store/store.ts'
import { type Crop, wholeOf } from './crop.ts'
import { exported } from './picture.ts'

export type Status = PresenceOverride | 'auto'

/** Undefined: unchanged. Null: to be removed. */
export const picture = signal<ImageBitmap | null | undefined>(undefined)
export const crop = signal<Crop>({ centerX: 0, centerY: 0, zoom: 1 })

/** As typed; undefined: unchanged; null: the default. */
export const color = signal<string | null | undefined>(undefined)
export const savedColor = computed(() => nameColors.value.get(viewer) ?? null)
const HEX = /^#?[0-9a-f]{6}$/i
/** The typed colour; undefined while invalid. */
export const colorNow = computed<string | null | undefined>(() => {
  if (color.value === undefined) return savedColor.value
  if (color.value === null) return null
  return HEX.test(color.value.trim()) ? `#${color.value.trim().slice(-6).toLowerCase()}` : undefined
})

export const status = signal<Status | undefined>(undefined)
export const statusNow = computed<Status>(() => status.value ?? override.value ?? 'auto')

export const isPictureChanged = computed(() => picture.value !== undefined)
export const isColorChanged = computed(() => colorNow.value !== savedColor.value)
export const isStatusChanged = computed(() => statusNow.value !== (override.value ?? 'auto'))
export const isChanged = computed(
  () => isPictureChanged.value || isColorChanged.value || isStatusChanged.value,
)

export function takePicture(next: ImageBitmap | null) {
  const before = picture.peek()
  batch(() => {
    picture.value = next
    if (next) crop.value = wholeOf(next)
  })
  before?.close()
}

export function discard() {
  const before = picture.peek()
  batch(() => {
    picture.value = undefined
    color.value = undefined
    status.value = undefined
  })
  before?.close()
}

/** Saves one change after the other; those that succeeded are not sent again if a later one fails. */
export async function save() {
  if (isColorChanged.peek()) {
    const next = colorNow.peek() ?? null
    await setNameColor(next)
    profileChanged(viewer, { color: next })
  }
  color.value = undefined
  if (isStatusChanged.peek()) await chooseStatus(statusNow.peek())
  status.value = undefined
  const next = picture.peek()
  if (next === undefined) return
  if (next) await putAvatar(await exported(next, crop.peek()))
  else await removeAvatar()
  profileChanged(viewer, { avatar: next !== null })
  takePicture(null)
  picture.value = undefined
}
