import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

type FieldProps = {
  /** Of the control. */
  id: string
  label: string
  error?: string | undefined
  /** Says what is wanted, below the control. An error takes its place. */
  hint?: string | undefined
  className?: string | undefined
  children: ReactNode
}

function noteId(id: string): string {
  return `${id}-note`
}

/** What tells assistive technology of the note below the control, and whatever else describes it. */
export function describedBy(id: string, noted: boolean, other?: string): string | undefined {
  return [noted ? noteId(id) : null, other].filter(Boolean).join(' ') || undefined
}

/** The looks of a control that text is typed into. */
export function controlStyle(invalid: boolean): string {
  return cn(
    'w-full rounded-control border bg-surface px-3 text-base transition-colors placeholder:text-muted',
    invalid ? 'border-danger' : 'border-control hover:border-muted',
  )
}

/** A control of a form with its label above, and below what is wrong or wanted. */
export function Field({ id, label, error, hint, className, children }: FieldProps) {
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {error ? (
        <p id={noteId(id)} role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : hint ? (
        <p id={noteId(id)} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
