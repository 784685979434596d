import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Invitation, makeInvitation, revokeInvitation } from '../../net/administration.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { uuid } from '../../net/uuid.ts'
import { workspace } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ChannelChooser } from './ChannelChooser.tsx'
import { isInviteOpen } from './open-administration.ts'
import './administration.css'

/** Hours. */
const LIFETIMES = [24, 168, 720] as const
const PLACES = [1, 10, 50, null] as const

/** Makes an invitation with the chosen lifetime, places, role and channels, and shows its link and QR code. */
export function InviteDialog() {
  const [hours, setHours] = useState<number>(168)
  const [places, setPlaces] = useState<number | null>(null)
  const [role, setRole] = useState<'member' | 'guest'>('member')
  const [channels, setChannels] = useState<ChannelId[]>([])
  const [made, setMade] = useState<Invitation>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => copy.current?.focus(), [made])
  const say = strings.administration
  const title = say.inviteTo(workspace.value?.name ?? strings.product)

  const make = async () => {
    if (busy) return
    if (role === 'guest' && channels.length === 0) return setProblem(say.guestNeedsChannel)
    setBusy(true)
    setProblem('')
    try {
      const draft = { role, channels, expires_in_hours: hours, max_uses: places, client_id: uuid() }
      setMade(await makeInvitation(draft))
    } catch (error) {
      tolerateFailure(error)
      setProblem(say.notInvited)
    }
    setBusy(false)
  }
  const end = async () => {
    try {
      await revokeInvitation(made!.id)
      setMade(undefined)
    } catch (error) {
      tolerateFailure(error)
      setProblem(say.notEnded)
    }
  }
  return (
    <Dialog label={title} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{title}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      {made ? (
        <div class="invite-made">
          <div>
            <span class="label">{say.link}</span>
            <div class="admin-link">
              <code>{made.url}</code>
              <button
                type="button"
                ref={copy}
                class="button button-primary"
                onClick={() => void copyToClipboard(made.url, say.copied)}
              >
                {say.copyLink}
              </button>
            </div>
            <p class="hint">{say.ends(made.expires_ts, made.max_uses)}</p>
          </div>
          <img src={`/invites/${made.id}/qr.svg`} width={176} height={176} alt={made.url} />
        </div>
      ) : (
        <>
          <div class="invite-choices">
            <label>
              <span class="label">{say.worksFor}</span>
              <select value={String(hours)} onChange={event => setHours(Number(event.currentTarget.value))}>
                {LIFETIMES.map(one => (
                  <option key={one} value={String(one)}>
                    {say.days(one / 24)}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <span class="label">{say.places}</span>
              <select
                value={String(places)}
                onChange={event =>
                  setPlaces(event.currentTarget.value === 'null' ? null : Number(event.currentTarget.value))
                }
              >
                {PLACES.map(one => (
                  <option key={one} value={String(one)}>
                    {one === null ? say.anyNumber : say.people(one)}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <span class="label">{say.comeInAs}</span>
              <select
                value={role}
                onChange={event => setRole(event.currentTarget.value === 'guest' ? 'guest' : 'member')}
              >
                <option value="member">{say.members}</option>
                <option value="guest">{say.guests}</option>
              </select>
            </label>
          </div>
          <ChannelChooser
            legend={role === 'guest' ? say.guestChannels : say.startIn}
            chosen={channels}
            onChange={setChannels}
          />
        </>
      )}
      {problem && (
        <span class="error" role="alert">
          {problem}
        </span>
      )}
      <div class="dialog-foot">
        {made ? (
          <>
            <button type="button" class="button button-quiet button-danger-text" onClick={() => void end()}>
              {say.endLink}
            </button>
            <button type="button" class="button button-primary" onClick={close}>
              {strings.privateChannel.done}
            </button>
          </>
        ) : (
          <button
            type="button"
            class="button button-primary"
            aria-disabled={busy}
            onClick={() => void make()}
          >
            {say.makeLink}
          </button>
        )}
      </div>
    </Dialog>
  )
}

const close = () => {
  isInviteOpen.value = false
}
