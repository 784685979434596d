import { useEffect, useState } from 'preact/hooks'
import type { BotPayload } from '#shared/domain/payloads/people.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { MadeToken } from '../../common/MadeToken.tsx'
import { strings } from '../../i18n/i18n.ts'
import { actOnBot, bots, deleteBot, makeBotToken } from '../../net/requests/bots.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { uuid } from '../../net/requests/uuid.ts'
import { displayed } from '../../store/people/people.ts'
import { me, people } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { ActionsButton } from './ActionsButton.tsx'
import { AskDialog, type Question } from './AskDialog.tsx'
import { act } from './act.ts'
import { mayAdminister } from './admin-pages.ts'
import { BotDialog, type MadeBotToken } from './BotDialog.tsx'
import { LastUse } from './LastUse.tsx'
import { ListSection } from './ListSection.tsx'
import { PersonName } from './PersonName.tsx'
import './bots.css'

type Opened = { kind: 'make' } | { kind: 'edit'; bot: BotPayload } | { kind: 'ask'; question: Question }

/** All bots by name, those of hooks folded. Owners and administrators act on them. */
export function BotsSection({ madeToken }: { madeToken: () => void }) {
  const [changes, setChanges] = useState(0)
  const [asked, setAsked] = useState<Opened>()
  const [made, setMade] = useState<MadeBotToken>()
  const list = useBots(changes)
  const texts = strings.bots
  const changed = () => setChanges(before => before + 1)
  const close = () => setAsked(undefined)
  const rowsOf = (some: BotPayload[] | undefined) =>
    some?.map(bot => <Row key={bot.username} bot={bot} ask={setAsked} changed={changed} show={setMade} />)
  const ofHooks = list?.filter(bot => bot.of_hook) ?? []
  return (
    <ListSection
      id="bots"
      title={texts.title}
      about={texts.about}
      make={
        me.value?.may.includes('make_bots')
          ? { label: texts.make, run: () => setAsked({ kind: 'make' }) }
          : undefined
      }
      none={texts.none}
      rows={rowsOf(list?.filter(bot => !bot.of_hook))}
    >
      {ofHooks.length > 0 && (
        <details class="integrations-more">
          <summary>{texts.ofHooks(ofHooks.length)}</summary>
          <ul class="admin-list integrations-list">{rowsOf(ofHooks)}</ul>
        </details>
      )}
      {(asked?.kind === 'make' || asked?.kind === 'edit') && (
        <BotDialog
          bot={asked.kind === 'edit' ? asked.bot : undefined}
          close={close}
          changed={changed}
          saved={token => {
            close()
            changed()
            setMade(token)
          }}
        />
      )}
      {asked?.kind === 'ask' && <AskDialog asked={asked.question} close={close} />}
      {made && (
        <MadeToken
          title={texts.tokenOf(made.name)}
          made={{ token: made.token, scopes: ['read', 'write'], channels_only: null }}
          close={() => {
            setMade(undefined)
            madeToken()
          }}
        />
      )}
    </ListSection>
  )
}

/** Read again after an act here, and when the people change. */
function useBots(changes: number): BotPayload[] | undefined {
  const [list, setList] = useState<BotPayload[]>()
  useEffect(() => {
    let here = true
    bots().then(found => here && setList(found), tolerateFailure)
    return () => {
      here = false
    }
  }, [changes, people.value])
  return list
}

interface RowProps {
  bot: BotPayload
  ask: (opened: Opened) => void
  changed: () => void
  show: (made: MadeBotToken) => void
}

function Row(props: RowProps) {
  const { bot } = props
  const { username, description, owner, active, last_used_ts: used } = bot
  const texts = strings.bots
  const mayAct = bot.mine || mayAdminister()
  return (
    <li class={active ? 'admin-row' : 'admin-row is-off'}>
      <Avatar name={username} size={36} />
      <div>
        <span class="bot-name">
          <PersonName account={bot} />
          {!active && <span class="person-tag">{texts.deactivated}</span>}
        </span>
        {description !== null && (
          <span class="hint" dir="auto">
            {description}
          </span>
        )}
        <span class="hint">{owner === null ? texts.noOwner : texts.ownedBy(displayed(owner))}</span>
      </div>
      {used !== undefined && <LastUse ts={used} />}
      {mayAct && <ActionsButton label={texts.actionsOf(username)} items={() => actionsOf(props)} />}
    </li>
  )
}

function actionsOf({ bot, ask, changed, show }: RowProps): MenuItem[] {
  const { username: name, active } = bot
  const texts = strings.bots
  const isDone = (sentence: string) => {
    showToast(sentence)
    changed()
  }
  const token = () => {
    const draft = { name, scopes: ['write'], client_id: uuid() }
    void act(
      () => makeBotToken(name, draft),
      name,
      ({ token }) => show({ name, token }),
    )
  }
  const reactivate = () => void act(() => actOnBot(name, 'reactivate'), name, changed)
  const state = active
    ? [
        { label: texts.edit, icon: 'pencil', run: () => ask({ kind: 'edit', bot }) },
        { label: texts.newToken, icon: 'key', run: token },
        {
          label: texts.deactivate,
          icon: 'x',
          apart: true,
          danger: true,
          run: () =>
            ask({
              kind: 'ask',
              question: {
                title: texts.deactivateOf(name),
                more: texts.deactivateMore,
                label: texts.deactivate,
                danger: true,
                name,
                run: () => actOnBot(name, 'deactivate'),
                done: () => isDone(texts.isDeactivated(name)),
              },
            }),
        },
      ]
    : [{ label: texts.reactivate, icon: 'refresh', run: reactivate }]
  const remove = {
    label: strings.delete,
    icon: 'trash',
    danger: true,
    run: () =>
      ask({
        kind: 'ask',
        question: {
          title: texts.deleteOf(name),
          more: texts.deleteMore,
          label: strings.delete,
          danger: true,
          name,
          run: () => deleteBot(name),
          done: () => isDone(texts.isDeleted(name)),
        },
      }),
  }
  return [...state, remove]
}
