import { setTimeout as wait } from 'node:timers/promises'
import { joinedChannels } from '#shared/access/public-channels.ts'
import { channelUnreads } from '#shared/collections/channel-unreads.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { dms } from '#shared/collections/dms.ts'
import { me } from '#shared/collections/me.ts'
import { privateChannels } from '#shared/collections/private-channels.ts'
import { sidebar } from '#shared/collections/sidebar.ts'
import { workspace } from '#shared/collections/workspace.ts'
import type { FirstListsPayload } from '#shared/domain/payloads/client.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Html, html, raw } from './html.ts'

/** After this the page is sent without lists, and the client requests them. */
const WAITED_FOR: Milliseconds = 300

/**
 * The client's first requests, answered in the page itself: saves a round trip before the first view (ui.md 6.1). A
 * data block, not a script, so the Content-Security-Policy does not apply.
 */
export async function firstLists(stores: Stores, viewer: Username): Promise<Html | undefined> {
  const asked = read(stores, viewer).catch(err => {
    if (!noteStoreFailure(err)) log.warn({ err }, 'a page goes without its lists')
    return undefined
  })
  const lists = await Promise.race([asked, wait(WAITED_FOR, undefined, { ref: false })])
  return lists && html`<script type="application/json" id="lists">${raw(harmless(lists))}</script>`
}

async function read(stores: Stores, viewer: Username): Promise<FirstListsPayload> {
  const [channels, closed, conversations, unreads, chosen, office, own] = await Promise.all([
    joinedChannels(stores, viewer),
    payloadFor(privateChannels, stores, viewer),
    payloadFor(dms, stores, viewer),
    payloadFor(channelUnreads, stores, viewer),
    payloadFor(sidebar, stores, viewer),
    payloadFor(workspace, stores, viewer),
    payloadFor(me, stores, viewer),
  ])
  return {
    channels,
    private_channels: closed,
    dms: conversations,
    channel_unreads: unreads,
    sidebar: chosen,
    workspace: office,
    me: own,
  }
}

/** Escapes `<`, because a user-chosen name must not end the block. */
const harmless = (lists: FirstListsPayload) => JSON.stringify(lists).replaceAll('<', '\\u003c')
