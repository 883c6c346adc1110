import { CLOSING_NOTE_LENGTH, type Closing, MAX_CLOSINGS } from '@bancone/contract/opening-hours'
import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { ErrorOf } from './profile-values.ts'

type ClosingsFieldProps = {
  value: Closing[]
  onChange: (closings: Closing[]) => void
  errorOf: ErrorOf
}

/** Holidays and other days on which the pharmacy stays closed. */
export function ClosingsField({ value, onChange, errorOf }: ClosingsFieldProps) {
  const adding = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  /** The next rendering adds a line, whose first field gets the focus. */
  const isNew = useRef(false)
  useEffect(() => {
    if (!isNew.current) return
    isNew.current = false
    list.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus()
  })
  const change = (at: number, part: Partial<Closing>) =>
    onChange(value.map((each, other) => (other === at ? { ...each, ...part } : each)))
  const error = errorOf('closings')

  return (
    <div className="flex flex-col items-start gap-4">
      {value.length === 0 ? <p className="text-muted">Nessuna chiusura.</p> : null}
      <ul ref={list} className="flex w-full flex-col gap-4 empty:hidden">
        {value.map((closing, at) => (
          // Closing days have no other key.
          <li
            key={at}
            className="grid grid-cols-2 items-start gap-2 border-b border-line pb-4 last:border-b-0 last:pb-0 md:grid-cols-[10rem_10rem_1fr_auto]"
          >
            <TextField
              label="Dal"
              type="date"
              value={closing.from}
              error={errorOf(`closings.${at}.from`)}
              onChange={({ target }) =>
                change(at, {
                  from: target.value,
                  // A single day, until the last one is chosen.
                  ...((closing.to === '' || closing.to === closing.from) && { to: target.value }),
                })
              }
            />
            <TextField
              label="Al"
              type="date"
              min={closing.from}
              value={closing.to}
              error={errorOf(`closings.${at}.to`)}
              onChange={({ target }) => change(at, { to: target.value })}
            />
            <TextField
              label="Nota"
              className="max-md:col-span-2"
              placeholder="Per esempio «Ferie»"
              autoComplete="off"
              maxLength={CLOSING_NOTE_LENGTH}
              value={closing.note}
              error={errorOf(`closings.${at}.note`)}
              onChange={({ target }) => change(at, { note: target.value })}
            />
            <Button
              className="max-md:col-span-2 max-md:justify-self-start md:mt-6.5 md:h-12"
              aria-label={`Togli la chiusura ${closing.note || at + 1}`}
              onClick={() => {
                // The button disappears with its line.
                adding.current?.focus()
                onChange(value.filter((_, other) => other !== at))
              }}
            >
              <Trash2 aria-hidden />
              Togli
            </Button>
          </li>
        ))}
      </ul>
      {error ? (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : null}
      <Button
        ref={adding}
        inactive={value.length >= MAX_CLOSINGS}
        onClick={() => {
          isNew.current = true
          onChange([...value, { from: '', to: '', note: '' }])
        }}
      >
        <Plus aria-hidden />
        Aggiungi una chiusura
      </Button>
    </div>
  )
}
