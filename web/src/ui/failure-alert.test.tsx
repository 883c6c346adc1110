import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPart } from '../../test/render-part.tsx'
import { useFailure } from '../lib/use-failure.ts'
import { Button } from './button.tsx'
import { FailureAlert } from './failure-alert.tsx'

function Form() {
  const { failure, fail, clearFailure } = useFailure()
  return (
    <>
      <FailureAlert failure={failure} />
      <Button onClick={() => fail('Non riuscito')}>Salva</Button>
      <Button onClick={clearFailure}>Annulla</Button>
    </>
  )
}

test('the same failure a second time is a new alert, so that it is announced again', async () => {
  const { user } = renderPart(<Form />)
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Salva' }))
  const first = screen.getByRole('alert')
  expect(first.textContent).toBe('Non riuscito')
  await user.click(screen.getByRole('button', { name: 'Salva' }))
  expect(screen.getByRole('alert')).not.toBe(first)
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  expect(screen.queryByRole('alert')).toBeNull()
})
