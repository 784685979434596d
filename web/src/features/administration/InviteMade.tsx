import { useEffect, useRef } from 'preact/hooks'
import type { InvitePayload } from '#shared/domain/payloads/administration.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { isOnlyHere, OnlyHere } from '../../common/OnlyHere.tsx'
import { strings } from '../../i18n/i18n.ts'
import { workspace, workspaceName } from '../../store/store.ts'
import { Icon, Logo } from '../../ui/Icon.tsx'

/** The link with its QR code, and a sheet of paper with both. */
export function InviteMade({ invitation }: { invitation: InvitePayload }) {
  const { id, url, expires_ts: expires, max_uses: places } = invitation
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => copy.current?.focus(), [])
  const texts = strings.administration
  const code = `/invites/${id}/qr.svg`
  const logo = workspace.value?.logo
  return (
    <div class="invite-made">
      <div>
        <span class="label">{texts.link}</span>
        <div class="admin-link">
          <code>{url}</code>
          <button
            type="button"
            ref={copy}
            class="button button-primary"
            onClick={() => void copyToClipboard(url, texts.copied)}
          >
            {texts.copyLink}
          </button>
        </div>
        <p class="hint">{texts.ends(expires, places)}</p>
      </div>
      {isOnlyHere(url) ? (
        <OnlyHere />
      ) : (
        <div class="invite-code">
          <img src={code} width={176} height={176} alt={url} />
          <button type="button" class="button button-quiet" onClick={() => print()}>
            <Icon name="external" size={16} />
            {texts.print}
          </button>
        </div>
      )}
      <div class="invite-poster" aria-hidden="true">
        {logo ? <img class="logo" src={logo} alt="" /> : <Logo />}
        <b>{texts.poster(workspaceName.value)}</b>
        <img src={code} width={360} height={360} alt="" />
        <code>{url}</code>
        <p>{texts.ends(expires, places)}</p>
      </div>
    </div>
  )
}
