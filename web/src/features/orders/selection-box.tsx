import type { ChangeEvent } from 'react'
import { cn } from '../../ui/class-names.ts'

type SelectionBoxProps = {
  label: string
  /** Words beside the box, where others do not say what it is for. */
  text?: string
  checked: boolean
  /** Some of what it stands for is selected. */
  mixed?: boolean
  className?: string
  /** @param range the shift key was down */
  onToggle: (range: boolean) => void
}

/** A box to select with, in a place large enough for a finger. */
export function SelectionBox(props: SelectionBoxProps) {
  const { label, text, checked, mixed = false, className, onToggle } = props

  function toggle({ nativeEvent }: ChangeEvent) {
    onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
  }

  return (
    <label
      className={cn(
        'flex shrink-0 cursor-pointer items-center justify-center gap-2 print:hidden',
        text === undefined ? 'size-8 max-lg:size-11 pointer-coarse:size-11' : 'min-h-11 text-sm',
        className,
      )}
    >
      <input
        ref={(box) => {
          if (box) box.indeterminate = mixed
        }}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={toggle}
        // With the shift key a click would mark the text between, too.
        onMouseDown={(event) => (event.shiftKey ? event.preventDefault() : undefined)}
        className="size-4 shrink-0 cursor-pointer accent-accent max-lg:size-5 pointer-coarse:size-5"
      />
      {text === undefined ? null : <span aria-hidden>{text}</span>}
    </label>
  )
}
