import { strings } from '../../i18n/i18n.ts'
import { isOutdated } from '../../net/account/service-worker.ts'
import { stream } from '../../net/stream/browser-stream.ts'
import { connection, host, started } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import './ConnectionBanner.css'

/** Hidden for the first seconds: streams end and reconnect by design. */
export function ConnectionBanner() {
  if (started.value !== 'ready') return null
  switch (connection.value) {
    case 'up':
      return isOutdated.value ? <NewerClient /> : null
    case 'crowded':
      return (
        <div class="banner" role="status">
          <Icon name="info" size={16} />
          {strings.connection.manyTabs}
        </div>
      )
    case 'lost':
      return (
        <div class="banner" role="status">
          <Icon name="refresh" size={16} />
          {strings.connection.reconnecting}
        </div>
      )
    case 'dead':
      return (
        <div class="banner" role="status">
          <Icon name="wifi-off" size={16} />
          {strings.connection.none(host)}
          <button type="button" class="button-link" onClick={() => stream.reopen()}>
            {strings.connection.tryNow}
          </button>
        </div>
      )
  }
}

function NewerClient() {
  return (
    <div class="banner" role="status">
      <Icon name="refresh" size={16} />
      {strings.connection.newVersion}
      <button type="button" class="button-link" onClick={() => location.reload()}>
        {strings.connection.reload}
      </button>
    </div>
  )
}
