import { useState } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Failure, tolerateFailure } from '../../net/requests/failure.ts'
import { postToHook } from '../../net/requests/hooks.ts'
import { nameOf } from '../../store/channels/names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { curlFor, type SampleForm, sampleCall } from './sample-call.ts'

interface Props {
  url: string
  /** As they are saved. */
  channel: ChannelId
  template: string | null
  /** A request was sent. */
  sent: () => void
}

type Outcome =
  | { kind: 'arrived'; channel: ChannelId; ms: number }
  | { kind: 'refused'; code: string }
  | { kind: 'ignored' }
  | { kind: 'failed' }

/** A command that posts to the address, in two forms, and a button that sends the same from here. */
export function TryAddress({ url, channel, template, sent }: Props) {
  const own: SampleForm = template === null ? 'plain' : 'template'
  const [chosen, setChosen] = useState<SampleForm>(template === null ? 'slack' : 'template')
  const [outcome, setOutcome] = useState<Outcome>()
  const [isSending, setSending] = useState(false)
  const form = chosen === 'slack' ? chosen : own
  const call = sampleCall(form, url, strings.hooks.hello, template)
  const curl = curlFor(call)
  const texts = strings.hooks
  const send = async () => {
    if (isSending) return
    setSending(true)
    setOutcome(undefined)
    const start = performance.now()
    try {
      const { isIgnored } = await postToHook(call)
      const ms = Math.round(performance.now() - start)
      setOutcome(isIgnored ? { kind: 'ignored' } : { kind: 'arrived', channel, ms })
    } catch (error) {
      tolerateFailure(error)
      setOutcome(refusalIn(error))
    } finally {
      setSending(false)
      sent()
    }
  }
  return (
    <section class="hook-part" aria-label={strings.tokens.tryIt}>
      <div class="hook-try-head">
        <span class="label" aria-hidden="true">
          {strings.tokens.tryIt}
        </span>
        <Segmented
          label={texts.form}
          value={form}
          choices={(['slack', own] as const).map(value => ({ value, label: texts.forms[value] }))}
          set={value => {
            setChosen(value)
            setOutcome(undefined)
          }}
        />
      </div>
      <code class="hook-command" dir="ltr">
        {curl}
      </code>
      <div class="hook-try-foot">
        <button type="button" class="button" aria-disabled={isSending} onClick={() => void send()}>
          {texts.send}
        </button>
        <button
          type="button"
          class="button button-quiet"
          aria-label={strings.tokens.copyCommand}
          onClick={() => void copyToClipboard(curl, strings.tokens.copied)}
        >
          <Icon name="copy" size={16} />
          {strings.tokens.copy}
        </button>
      </div>
      <div role="status">{outcome && <Said outcome={outcome} />}</div>
    </section>
  )
}

function Said({ outcome }: { outcome: Outcome }) {
  const texts = strings.hooks
  if (outcome.kind === 'arrived' || outcome.kind === 'ignored')
    return (
      <span class="hook-arrived">
        <Icon name="check" size={16} />
        {outcome.kind === 'ignored' ? texts.wasIgnored : texts.arrived(nameOf(outcome.channel), outcome.ms)}
      </span>
    )
  return (
    <span class="error">
      <Icon name="alert" size={16} />
      {outcome.kind === 'failed' ? (
        texts.notSent
      ) : (
        <span>
          {texts.refusedWith} <code>{outcome.code}</code>
          <span class="hint admin-note">{texts.errors[outcome.code]}</span>
        </span>
      )}
    </span>
  )
}

/** The address refuses with a word that it is known for; anything else comes from between. */
function refusalIn({ message }: Failure): Outcome {
  return Object.hasOwn(strings.hooks.errors, message)
    ? { kind: 'refused', code: message }
    : { kind: 'failed' }
}
