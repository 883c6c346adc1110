import { DESK_NAME_LENGTH, DeskName } from '@bancone/contract/priority'
import { Store } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { nameDesk, useDeskName } from '../desk.ts'

function DeskForm({ id, onDone }: { id: string; onDone: () => void }) {
  const desk = useDeskName()
  const [name, setName] = useState(desk ?? '')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  function save(event: FormEvent) {
    event.preventDefault()
    const trimmed = name.trim()
    if (trimmed !== '' && !DeskName.safeParse(trimmed).success) {
      setError(`Al massimo ${DESK_NAME_LENGTH} caratteri.`)
      field.current?.focus()
      return
    }
    nameDesk(trimmed)
    onDone()
  }

  return (
    <form id={id} noValidate onSubmit={save}>
      <TextField
        ref={field}
        label="Nome del banco"
        hint="Per esempio Banco 2. Lo vedono i clienti quando li chiami, e i colleghi."
        error={error}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </form>
  )
}

/** Shows and changes the name of the desk at which this device stands. */
export function DeskButton({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const desk = useDeskName()
  const button = useRef<HTMLButtonElement>(null)
  const form = useId()
  const close = () => onOpen(false)
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={() => onOpen(true)}>
        <Store aria-hidden />
        <span className="max-w-40 truncate">{desk ?? 'Dai un nome al banco'}</span>
        {desk === null ? null : <span className="sr-only">, cambia il nome del banco</span>}
      </Button>
      {open ? (
        <Dialog
          title="Questo banco"
          text="Il nome resta su questo dispositivo."
          onClose={close}
          onReturnFocus={() => button.current?.focus()}
          footer={
            <>
              <Button onClick={close}>Chiudi</Button>
              <Button type="submit" form={form} look="primary">
                Salva
              </Button>
            </>
          }
        >
          <DeskForm id={form} onDone={close} />
        </Dialog>
      ) : null}
    </>
  )
}
