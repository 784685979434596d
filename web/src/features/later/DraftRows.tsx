import type { Seconds } from '#shared/domain/units.ts'
import { aboutDraft } from '../../common/about-draft.ts'
import { ChannelSign } from '../../common/ChannelSign.tsx'
import { OneLine } from '../../common/OneLine.tsx'
import { strings } from '../../i18n/i18n.ts'
import { attach, detach } from '../../net/outbox/kept-attachments.ts'
import { panel } from '../../store/store.ts'
import { attachments } from '../../store/writing/attachments.ts'
import { drafts, draftTimes, keepDraft, listedDrafts, UNKNOWN_TIME } from '../../store/writing/drafts.ts'
import { showToast } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { passFocus } from '../../ui/pass-focus.ts'

/** The group of drafts, newest first. Nothing without any. */
export function DraftRows() {
  const times = timesOfDrafts()
  const keys = listedDrafts.value.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0))
  if (keys.length === 0) return null
  return (
    <section class="saved-group">
      <h2>
        {strings.scheduled.drafts}
        <span class="saved-group-count tabular-numbers">{keys.length}</span>
      </h2>
      <ul>
        {keys.map(key => (
          <DraftRow key={key} place={key} ts={times.get(key)} />
        ))}
      </ul>
    </section>
  )
}

/** When each draft was changed, by its key. Old drafts, and those of files alone, have no time. */
function timesOfDrafts(): Map<string, Seconds> {
  const times = [...draftTimes.readAll()].map(([key, text]) => [key, Number.parseFloat(text)] as const)
  return new Map(times.filter(([, ts]) => ts > UNKNOWN_TIME))
}

function DraftRow({ place, ts }: { place: string; ts: number | undefined }) {
  const { icon, channel, name, plain, address } = aboutDraft(place)
  const text = (drafts.value.get(place) ?? '').trim()
  const files = attachments.value.get(place) ?? []
  const fileNames = files.map(one => one.file.name).join(', ')
  return (
    <li class="saved-row">
      {icon === 'message' ? <Icon name={icon} /> : <ChannelSign channel={channel} />}
      <div class="saved-row-body">
        <b class="saved-row-head">
          <bdi>{plain}</bdi>
        </b>
        <a class="saved-row-text" dir="auto" href={address} onClick={leave}>
          {text ? <OneLine text={text} /> : fileNames}
        </a>
        {files.length > 0 && (
          <p class="saved-row-note">
            <Icon name="clip" size={14} />
            {text ? strings.scheduled.onDevice(fileNames) : strings.scheduled.files}
          </p>
        )}
      </div>
      <div class="saved-row-end">
        {ts !== undefined && <span class="saved-row-written">{strings.scheduled.written(ts)}</span>}
        <IconButton
          icon="trash"
          size={28}
          label={strings.scheduled.discardDraft(name)}
          onClick={event => discard(event.currentTarget, place, name)}
        />
      </div>
    </li>
  )
}

function leave() {
  panel.value = undefined
}

function discard(button: HTMLElement, place: string, name: string) {
  const text = drafts.peek().get(place) ?? ''
  const files = attachments.peek().get(place) ?? []
  const row = button.closest('li')
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  passFocus(button, beside?.querySelector('.icon-button'), button.closest('main')?.querySelector('h1'))
  keepDraft(place, '')
  detach(place, files)
  const putBack = () => {
    keepDraft(place, text)
    attach(
      place,
      files.map(one => one.file),
    )
  }
  showToast(strings.scheduled.draftDiscarded(name), {
    icon: 'trash',
    action: { label: strings.undo, run: putBack },
  })
}
