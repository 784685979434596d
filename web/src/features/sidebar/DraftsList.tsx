import '../../i18n/panel-strings.ts'
import { useEffect, useRef } from 'preact/hooks'
import { aboutDraft } from '../../common/about-draft.ts'
import { plainText } from '../../common/markup.ts'
import { strings } from '../../i18n/i18n.ts'
import { attach, detach } from '../../net/kept-attachments.ts'
import { attachments } from '../../store/attachments.ts'
import { drafts, keepDraft, listedDrafts } from '../../store/drafts.ts'
import { showToast } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { closePopover } from '../../ui/Popover.tsx'
import { passFocus } from '../../ui/pass-focus.ts'

/** The drafts with their texts, in a pop-over. */
export function DraftsList() {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.querySelector('a')?.focus({ preventScroll: true }), [])
  return (
    <ul ref={list} class="drafts" onKeyDown={onKeyDown}>
      {listedDrafts.value.map(key => (
        <Draft key={key} place={key} />
      ))}
    </ul>
  )
}

function Draft({ place }: { place: string }) {
  const { icon, name, plain, address } = aboutDraft(place)
  return (
    <li class="draft">
      <a class="option" href={address} onClick={() => closePopover(false)}>
        <Icon name={icon} />
        <span class="draft-text">
          <b>
            <bdi>{plain}</bdi>
          </b>
          <span>{plainText(drafts.value.get(place) ?? '') || filesOf(place)}</span>
        </span>
      </a>
      <IconButton
        icon="trash"
        size={28}
        label={strings.rowMenu.discardDraft(name)}
        onClick={event => discard(event.currentTarget, place, name)}
      />
    </li>
  )
}

const filesOf = (place: string) => (attachments.value.get(place) ?? []).map(one => one.file.name).join(', ')

function discard(button: HTMLElement, place: string, name: string) {
  const text = drafts.peek().get(place) ?? ''
  const files = attachments.peek().get(place) ?? []
  const row = button.closest('li')
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  if (beside) passFocus(button, beside.querySelector<HTMLElement>('.icon-button'))
  else closePopover()
  keepDraft(place, '')
  detach(place, files)
  const putBack = () => {
    keepDraft(place, text)
    attach(
      place,
      files.map(one => one.file),
    )
  }
  showToast(strings.rowMenu.draftDiscarded(name), {
    icon: 'trash',
    action: { label: strings.undo, run: putBack },
  })
}

/** Up and down move between drafts, left and right between a draft and its button. */
function onKeyDown(event: KeyboardEvent) {
  const list = event.currentTarget as HTMLElement
  const row = (event.target as Element).closest('li')
  const column = (event.target as Element).closest('a') ? 'a' : 'button'
  const rows = [...list.querySelectorAll('li')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const next = step === undefined ? row : rows[(rows.indexOf(row!) + step + rows.length) % rows.length]
  const to =
    step === undefined && /^Arrow(Left|Right)$/.test(event.key) ? (column === 'a' ? 'button' : 'a') : column
  if (step === undefined && to === column) return
  event.preventDefault()
  next?.querySelector<HTMLElement>(to)?.focus()
}
