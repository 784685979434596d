import { useEffect, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { preferences, setPreferences } from '../../net/requests/lazy-endpoints.ts'
import { SetRow, SwitchLine } from './rows.tsx'

interface Props {
  name: 'share_read' | 'fold_replies'
  say: { title: string; more: string; label: string }
}

/** A preference that is saved at once, on the server: it holds on every device of the person. */
export function AccountSwitch({ name, say }: Props) {
  const { notLoaded, notSaved } = strings.myProfile.shareRead
  const [isOn, setOn] = useState<boolean | undefined>(undefined)
  const [fault, setFault] = useState('')

  useEffect(() => {
    let isHere = true
    preferences().then(
      found => {
        if (isHere) setOn(found[name])
      },
      error => {
        tolerateFailure(error)
        if (isHere) setFault(notLoaded)
      },
    )
    return () => {
      isHere = false
    }
  }, [])

  const set = async (next: boolean) => {
    setOn(next)
    setFault('')
    try {
      await setPreferences({ [name]: next })
    } catch (error) {
      tolerateFailure(error)
      setOn(!next)
      setFault(notSaved)
    }
  }
  return (
    <SetRow title={say.title} more={say.more}>
      {isOn !== undefined && <SwitchLine title={say.label} on={isOn} set={next => void set(next)} />}
      <p class="hint" role="status">
        {fault}
      </p>
    </SetRow>
  )
}
