import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { managedChannels } from '../../net/requests/lazy-endpoints.ts'
import { privateChannels, publicChannels } from '../../store/store.ts'
import { mayAdminister } from './admin-pages.ts'
import { channelsForHook } from './hook-channels.ts'

const managed = signal<ReadonlySet<ChannelId>>(new Set())

/** Administrators manage every public channel. */
export async function loadManagedChannels(): Promise<void> {
  if (mayAdminister()) return
  try {
    managed.value = new Set(await managedChannels())
  } catch (error) {
    tolerateFailure(error)
  }
}

/** Channels for a hook of the viewer: those known so far, and the present one. */
export const hookChannels = (present?: ChannelId): ChannelId[] =>
  channelsForHook(
    {
      isAdmin: mayAdminister(),
      joined: publicChannels.value,
      managed: managed.value,
      inside: privateChannels.value.map(one => one.channel),
    },
    present,
  )
