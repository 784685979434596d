import type { ChannelId } from '#shared/domain/units.ts'
import { composerField } from '../common/composer-field.ts'
import { Guarded, GuardedOverlay } from '../common/Guarded.tsx'
import { CallHost } from '../features/calls/CallHost.tsx'
import { callsPart } from '../features/calls/open-calls.ts'
import { isBeside, stage } from '../features/calls/state.ts'
import { ChannelView } from '../features/channel/ChannelView.tsx'
import { isReadOnly } from '../features/channel/read-only.ts'
import { Sidebar } from '../features/sidebar/Sidebar.tsx'
import { besideThread, closeThread } from '../features/threads/open-threads.ts'
import { strings } from '../i18n/i18n.ts'
import { type Channel, current } from '../store/channels/channels.ts'
import { isClosed } from '../store/channels/closed-channels.ts'
import { besideAddress } from '../store/route.ts'
import {
  accountDeleted,
  isCovered,
  isPage,
  isPhone,
  type Panel,
  panel,
  route,
  session,
} from '../store/store.ts'
import { LiveRegions } from '../ui/LiveRegions.tsx'
import { useLayer } from '../ui/layers.ts'
import { Lazy } from '../ui/lazy.tsx'
import { ToastHost } from '../ui/Toast.tsx'
import { Overlays } from './Overlays.tsx'
import { panels } from './panels.ts'
import { loadAgain } from './start.ts'
import { panelAddress } from './views.ts'
import './app.css'
import '../ui/panel.css'

/** The frame: sidebar, channel, panel, and overlays. */
export function App() {
  const isStart = route.value.channel === undefined && !route.value.unknown && !stage.value
  const isList = isStart && !panel.value
  // Panels of the tab bar leave it in place on a phone.
  const isTab = isStart && (panel.value === 'mentions' || panel.value === 'search')
  if (accountDeleted.value) return <Lazy of={panels} name="AccountDeleted" />

  return (
    <>
      {/* On a phone the messages are not mounted while the list or a panel is shown. */}
      {current.value && !isClosed(current.value) && !(isPhone.value && (isList || panel.value)) && (
        <SkipLinks channel={current.value} />
      )}
      <div
        class="app"
        data-view={isList ? 'list' : isTab ? 'tab' : 'room'}
        // On a phone the list is the whole page while it is shown.
        role={isList && isPhone.value ? 'main' : undefined}
      >
        <Guarded place="sidebar">
          <Sidebar
            loadAgain={() => void loadAgain()}
            // A phone has the navigation of the administration on its page.
            administration={
              panel.value === 'admin' && !isPhone.value && <Lazy of={panels} name="AdministrationNav" />
            }
          />
        </Guarded>
        <div class={`app-sheet${isPanelBeside() ? ' has-panel' : ''}${stageClass()}`}>
          {stage.value && (
            <Guarded place="call">
              <Lazy of={callsPart} name="Stage" />
            </Guarded>
          )}
          {/* Inert while a page covers it, which is the main part then. */}
          <main class="app-main" inert={isPage.value}>
            {stage.value && isBeside.value && <Lazy of={callsPart} name="ConversationHead" />}
            <Guarded place="channel" resetOn={current.value}>
              {route.value.unknown ? <Lazy of={panels} name="UnknownAddress" /> : <ChannelView />}
            </Guarded>
          </main>
          {panel.value && <PanelLayer which={panel.value} />}
          {panel.value && <GuardedPanel />}
          {besideThread.value && <BesideThread {...besideThread.value} />}
        </div>
      </div>
      <GuardedOverlay place="call">
        <CallHost />
      </GuardedOverlay>
      <GuardedOverlay place="dialog">
        <Overlays />
      </GuardedOverlay>
      <ToastHost focusAfter={() => (isPhone.peek() ? null : composerField())} />
      <LiveRegions />
      {session.value === 'ended' && <Lazy of={panels} name="SignedOut" />}
    </>
  )
}

function GuardedPanel() {
  return (
    <Guarded place="panel" resetOn={panel.value}>
      {panel.value === 'search' && <Lazy of={panels} name="SearchPanel" />}
      {panel.value === 'mentions' && <Lazy of={panels} name="ActivityPanel" />}
      {panel.value === 'channels' && <Lazy of={panels} name="BrowsePage" />}
      {panel.value === 'admin' && <Lazy of={panels} name="AdministrationPage" />}
      {panel.value === 'details' && <Lazy of={panels} name="DetailsPanel" />}
      {panel.value === 'saved' && <Lazy of={panels} name="SavedPage" />}
      {panel.value === 'scheduled' && <Lazy of={panels} name="ScheduledPage" />}
      {panel.value === 'thread' && <Lazy of={panels} name="ThreadPanel" />}
      {panel.value === 'threads' && <Lazy of={panels} name="ThreadsPage" />}
    </Guarded>
  )
}

const isPanelBeside = () => panel.value !== undefined && (!isPage.value || besideThread.value !== undefined)

/** The thread beside the page of threads, with a history entry of its own. */
function BesideThread({ channel, id }: { channel: ChannelId; id: number }) {
  useLayer(closeThread, { key: 'beside', address: besideAddress(channel, id) })
  return (
    <Guarded place="panel" resetOn={id}>
      <Lazy of={panels} name="ThreadPanel" />
    </Guarded>
  )
}

/** The history entry of the open panel. */
function PanelLayer({ which }: { which: Panel }) {
  const close = () => {
    panel.value = undefined
  }
  useLayer(close, { key: 'panel', address: panelAddress(which) }, { isPage: () => isCovered.peek() })
  return null
}

/** The stage of a call or a screen share is beside the conversation, or replaces it. */
const stageClass = () => (stage.value ? (isBeside.value ? ' has-stage' : ' has-only-stage') : '')

function SkipLinks({ channel }: { channel: Channel }) {
  const hasList = channel.state.value === 'ready' || channel.isStale.value
  return (
    <nav aria-label={strings.skip}>
      {hasList && (
        // biome-ignore lint/a11y/useValidAnchor: it goes to a place in the page, but may not change the address
        <a class="skip-link" href="#messages" onClick={focusOn('[data-region="messages"] [tabindex="0"]')}>
          {strings.skipToMessages}
        </a>
      )}
      {!isReadOnly(channel) && (
        // biome-ignore lint/a11y/useValidAnchor: as above
        <a class="skip-link" href="#composer" onClick={focusOn('#composer')}>
          {strings.skipToComposer}
        </a>
      )}
    </nav>
  )
}

/** The fragment of the address is the route, so a skip link must not change it. */
function focusOn(selector: string) {
  return (event: Event) => {
    event.preventDefault()
    document.querySelector<HTMLElement>(selector)?.focus()
  }
}
