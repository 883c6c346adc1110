import { type ComponentProps, useId, useLayoutEffect, useRef } from 'react'
import { cn } from './class-names.ts'
import { controlStyle, describedBy, Field } from './field.tsx'

/** So many characters before the end one begins to count, and to say so. */
const COUNTED = 100
const SAID = 20

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'value' | 'maxLength'> & {
  label: string
  value: string
  /** In characters. What is too long can be written, and is said: a paste is not cut off unseen. */
  most: number
  error?: string | undefined
  hint?: string | undefined
}

function tooLong(left: number): string | undefined {
  if (left >= 0) return undefined
  return left === -1 ? 'Un carattere di troppo' : `${-left} caratteri di troppo`
}

/** A field for several lines, as high as what is in it. */
export function TextArea(props: TextAreaProps) {
  const { label, value, most, error, hint, className, ...rest } = props
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const measured = useRef<string | null>(null)
  useLayoutEffect(() => {
    const area = place.current?.querySelector('textarea')
    if (!area || measured.current === value) return
    measured.current = value
    area.style.height = 'auto'
    // Its borders are not in what it scrolls.
    area.style.height = `${area.scrollHeight + 2}px`
  }, [value])
  const left = most - value.length
  const wrong = error ?? tooLong(left)
  return (
    <Field id={id} label={label} error={wrong} hint={hint} className={className}>
      <div ref={place} className="relative">
        <textarea
          id={id}
          rows={2}
          value={value}
          aria-invalid={wrong ? true : undefined}
          className={cn(
            'block max-h-80 min-h-20 resize-none overflow-y-auto py-2',
            controlStyle(Boolean(wrong)),
          )}
          {...rest}
          aria-describedby={describedBy(id, Boolean(wrong || hint), rest['aria-describedby'])}
        />
        {left >= 0 && left <= COUNTED ? (
          <p
            aria-hidden
            className="absolute right-2 bottom-1 rounded bg-surface px-1 text-xs text-muted tabular-nums"
          >
            {value.length}/{most}
          </p>
        ) : null}
        <p role="status" className="sr-only">
          {left >= 0 && left <= SAID ? `Caratteri rimasti: ${left}` : ''}
        </p>
      </div>
    </Field>
  )
}
