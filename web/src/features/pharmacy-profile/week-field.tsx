import { MAX_SPANS_PER_DAY, type OpeningSpan } from '@bancone/contract/opening-hours'
import { CopyPlus, Plus, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { weekdays } from '../../lib/hours.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { controlStyle } from '../../ui/field.tsx'
import type { ErrorOf } from './profile-values.ts'

type WeekFieldProps = {
  value: OpeningSpan[][]
  onChange: (week: OpeningSpan[][]) => void
  errorOf: ErrorOf
}

/** The usual hours of a morning and of an afternoon, suggested for a new time. */
const suggested: readonly OpeningSpan[] = [
  { from: '08:30', to: '12:30' },
  { from: '15:30', to: '19:30' },
]

/** The times of the week. A day without times is closed. */
export function WeekField({ value, onChange, errorOf }: WeekFieldProps) {
  const setDay = (index: number, spans: OpeningSpan[]) =>
    onChange(value.map((each, at) => (at === index ? spans : each)))
  return (
    <ul className="flex flex-col">
      {weekdays.map((name, index) => (
        <li key={name} className="border-b border-line py-3 first:pt-0 last:border-b-0 last:pb-0">
          <Day
            name={name}
            index={index}
            spans={value[index] ?? []}
            onChange={(spans) => setDay(index, spans)}
            onCopy={
              index === 0
                ? () => onChange(value.map((each, at) => (at < 5 ? (value[0] ?? []) : each)))
                : undefined
            }
            errorOf={errorOf}
          />
        </li>
      ))}
    </ul>
  )
}

type DayProps = {
  name: string
  index: number
  spans: OpeningSpan[]
  onChange: (spans: OpeningSpan[]) => void
  /** Copies the times to the other working days. */
  onCopy: (() => void) | undefined
  errorOf: ErrorOf
}

function Day({ name, index, spans, onChange, onCopy, errorOf }: DayProps) {
  const id = useId()
  const adding = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  /** The next rendering adds a line, whose first field gets the focus. */
  const isNew = useRef(false)
  useEffect(() => {
    if (!isNew.current) return
    isNew.current = false
    list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  })

  const wrong = errorOf(`openingWeek.${index}`)
  const error = wrong ?? spans.map((_, at) => spanError(errorOf, index, at)).find(Boolean)
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="flex flex-col items-stretch gap-x-4 gap-y-1.5 md:flex-row md:items-start"
    >
      <p id={id} className="flex w-28 items-center font-medium md:min-h-9">
        {name}
      </p>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        {spans.length === 0 ? (
          <p className="flex items-center text-muted md:min-h-9">Chiuso</p>
        ) : (
          <ul ref={list} className="flex flex-col gap-2">
            {spans.map((span, at) => (
              // The times of a day have no other key.
              <li key={at} className="flex items-center gap-2">
                {(['from', 'to'] as const).map((end) => (
                  <input
                    key={end}
                    type="time"
                    aria-label={`${name}, ${end === 'from' ? 'apre' : 'chiude'} alle`}
                    aria-invalid={
                      wrong || errorOf(`openingWeek.${index}.${at}.${end}`) ? true : undefined
                    }
                    aria-describedby={error ? `${id}-error` : undefined}
                    value={span[end]}
                    onChange={({ target }) =>
                      onChange(
                        spans.map((each, other) =>
                          other === at ? { ...each, [end]: target.value } : each,
                        ),
                      )
                    }
                    className={cn(
                      'h-11 min-w-0 max-md:[&::-webkit-calendar-picker-indicator]:hidden md:h-9 md:max-w-32',
                      controlStyle(Boolean(error)),
                    )}
                  />
                ))}
                <Button
                  look="quiet"
                  size="square"
                  aria-label={`Togli l'orario ${span.from}–${span.to} di ${name}`}
                  onClick={() => {
                    // The button disappears with its time.
                    adding.current?.focus()
                    onChange(spans.filter((_, other) => other !== at))
                  }}
                >
                  <Trash2 aria-hidden />
                </Button>
              </li>
            ))}
          </ul>
        )}
        {onCopy && spans.length > 0 ? (
          <Button size="small" className="self-start" onClick={onCopy}>
            <CopyPlus aria-hidden />
            Copia fino a venerdì
          </Button>
        ) : null}
        {error ? (
          <p id={`${id}-error`} role="alert" className="text-sm text-danger">
            {error}
          </p>
        ) : null}
      </div>
      <div className="flex">
        <Button
          ref={adding}
          aria-label={`Aggiungi un orario a ${name}`}
          inactive={spans.length >= MAX_SPANS_PER_DAY}
          onClick={() => {
            isNew.current = true
            onChange([...spans, suggested[spans.length] ?? { from: '', to: '' }])
          }}
        >
          <Plus aria-hidden />
          Orario
        </Button>
      </div>
    </div>
  )
}

function spanError(errorOf: ErrorOf, index: number, at: number): string | undefined {
  return errorOf(`openingWeek.${index}.${at}.from`) ?? errorOf(`openingWeek.${index}.${at}.to`)
}
