import { type ComponentProps, useId } from 'react'
import { roles, roleTexts } from './colleague-texts.ts'

/** Chooses a role. @param props `register` props */
export function RoleChoice(props: Omit<ComponentProps<'input'>, 'type' | 'value' | 'id'>) {
  const id = useId()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Ruolo</legend>
      {roles.map((role) => (
        <label
          key={role}
          className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-line-strong px-3 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--c-focus)"
        >
          <input
            {...props}
            type="radio"
            value={role}
            aria-label={roleTexts[role].name}
            aria-describedby={`${id}-${role}`}
            className="mt-1 size-4 shrink-0 accent-accent outline-none"
          />
          <span>
            <span className="block font-medium">{roleTexts[role].name}</span>
            <span id={`${id}-${role}`} className="block text-sm text-pretty text-muted">
              {roleTexts[role].means}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
