/**
 * Colours and pictures of everybody. No event announces changes, so they are fetched again when the stream is back,
 * when the tab becomes visible and when a profile opens; at most once a minute, three pictures at a time. A picture is
 * shown as this device last had it until the server has answered, and a failed one is requested again.
 */
import { batch } from '@preact/signals'
import type { Username } from '#shared/domain/units.ts'
import { byName } from '../../store/messages/selectors.ts'
import { nameColors, onPictureWanted, pictured, pictures } from '../../store/people/profiles.ts'
import { session } from '../../store/store.ts'
import { cacheAvatar, cachedAvatar, type Face } from '../device/avatar-cache.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

const AT_MOST_EVERY = 60_000
/** Messages and the stream share the browser's six HTTP/1.1 connections. */
const AT_ONCE = 3
/** Pauses in ms before a failed picture is requested again. */
const RETRIES = [2_000, 8_000, 30_000]

let askedAt = Number.NEGATIVE_INFINITY

export function watchProfiles() {
  onPictureWanted(name => {
    if (!asked.has(name)) fetchPicture(name)
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refreshProfiles()
  })
}

export async function refreshProfiles() {
  if (performance.now() - askedAt < AT_MOST_EVERY) return
  askedAt = performance.now()
  try {
    const [colors, names] = await Promise.all([endpoints.userColors(), endpoints.userAvatars()])
    const now = new Set(names)
    batch(() => {
      nameColors.value = byName(colors)
      pictured.value = now
    })
    // Known pictures may have changed; the server responds 304 for each that has not.
    for (const name of [...asked]) {
      if (now.has(name)) fetchPicture(name)
      else put(name, undefined)
    }
  } catch (error) {
    tolerateFailure(error)
  }
}

/** From the viewer's own change or a profile. Omitted fields stay. */
export function profileChanged(name: Username, look: { color?: string | null; avatar?: boolean }) {
  if (look.color !== undefined) {
    const colors = new Map(nameColors.peek())
    if (look.color === null) colors.delete(name)
    else colors.set(name, look.color)
    nameColors.value = colors
  }
  if (look.avatar === undefined) return
  const names = new Set(pictured.peek())
  if (look.avatar) names.add(name)
  else names.delete(name)
  pictured.value = names
  if (look.avatar) fetchPicture(name)
  else put(name, undefined)
}

const asked = new Set<Username>()
const tags = new Map<Username, string>()
const waiting = new Set<Username>()
const failures = new Map<Username, number>()
let running = 0

function fetchPicture(name: Username) {
  asked.add(name)
  waiting.add(name)
  next()
}

function next() {
  const [name] = waiting
  if (name === undefined || running >= AT_ONCE) return
  waiting.delete(name)
  running++
  void take(name).finally(() => {
    running--
    next()
  })
  next()
}

async function take(name: Username) {
  try {
    const kept = pictures.peek().has(name) ? undefined : await cachedAvatar(name)
    if (kept) show(name, kept)
    const picture = await endpoints.avatar(name)
    failures.delete(name)
    if (session.peek() !== 'ended') void cacheAvatar(name, picture)
    if (picture) show(name, picture)
    else put(name, undefined)
  } catch (error) {
    tolerateFailure(error)
    const failed = failures.get(name) ?? 0
    failures.set(name, failed + 1)
    // Afterwards at the next refresh.
    if (RETRIES[failed] === undefined) failures.delete(name)
    else setTimeout(() => asked.has(name) && fetchPicture(name), RETRIES[failed])
  }
}

function show(name: Username, { tag, picture }: Face) {
  if (pictures.peek().has(name) && tags.get(name) === tag) return
  tags.set(name, tag)
  put(name, URL.createObjectURL(picture))
}

function put(name: Username, address: string | undefined) {
  const before = pictures.peek().get(name)
  const all = new Map(pictures.peek())
  if (address) {
    all.set(name, address)
  } else {
    all.delete(name)
    asked.delete(name)
  }
  pictures.value = all
  if (before) URL.revokeObjectURL(before)
}
