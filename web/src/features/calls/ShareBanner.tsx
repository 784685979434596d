import { strings } from '../../i18n/i18n.ts'
import { shares } from '../../store/calls.ts'
import { current } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { isOwn, stopOwn, watch } from './shares.ts'
import { ownShare, watched } from './state.ts'
import './ShareBanner.css'

/** Screen shares in this conversation; the viewer's own share is shown in every channel. */
export function ShareBanner() {
  const channel = current.value?.id
  const here = (channel !== undefined && shares.value.get(channel)) || []
  const own = ownShare.value
  const elsewhere = own && own.channel !== channel ? own : undefined
  return (
    <>
      {elsewhere && (
        <Banner
          text={strings.shares.youShareIn(nameOf(elsewhere.channel))}
          action={strings.shares.stop}
          run={() => elsewhere.stop()}
        />
      )}
      {here.map(share =>
        isOwn(share) ? (
          <Banner
            key={share.share_id}
            text={strings.shares.youShare}
            action={strings.shares.stop}
            run={() => void stopOwn(share.share_id)}
          />
        ) : (
          <Banner
            key={share.share_id}
            text={strings.shares.isSharing(share.sharer)}
            action={
              watched.value?.share.share_id === share.share_id
                ? strings.shares.stopWatching
                : strings.shares.watch
            }
            run={() =>
              watched.peek()?.share.share_id === share.share_id ? watched.peek()?.close() : watch(share)
            }
          />
        ),
      )}
    </>
  )
}

function Banner({ text, action, run }: { text: string; action: string; run: () => void }) {
  return (
    <div class="banner is-share" role="status">
      <Icon name="screen" size={16} />
      <span>{text}</span>
      <button type="button" class="button-link" onClick={run}>
        {action}
      </button>
    </div>
  )
}
