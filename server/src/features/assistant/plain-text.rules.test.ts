import { describe, expect, it } from 'vitest'
import { plainText } from './assistant.rules.ts'

const plain = (text: string) => plainText(text, 200)

describe('a text of a model', () => {
  it.each([
    ['Crema mani', 'Crema mani'],
    ['Prima.\nSeconda.', 'Prima.\nSeconda.'],
    ['Prima.\r\nSeconda.\rTerza.', 'Prima.\nSeconda.\nTerza.'],
    ['Prima.\n\n\n\n\nSeconda.', 'Prima.\n\nSeconda.'],
    ['  Crema \t mani  \n  e corpo ', 'Crema mani\ne corpo'],
    ['Senza <b>zucchero</b> e <i class="x">glutine</i>', 'Senza zucchero e glutine'],
    ['<p>Prima.</p><p>Seconda.</p>', 'Prima.\nSeconda.'],
    ['Prima.<br/>Seconda.<BR>Terza.', 'Prima.\nSeconda.\nTerza.'],
    ['<ul><li>mani</li><li>piedi</li></ul>', '- mani\n- piedi'],
    ['## Crema\n**Per mani** secche', 'Crema\nPer mani secche'],
    ['Perch&eacute; s&igrave; &amp; no: 10&nbsp;&euro;', 'Perché sì & no: 10 €'],
    ['l&#39;altro l&#x2019;uno', "l'altro l’uno"],
    ['&nulla; &#99999999; & via', '&nulla; &#99999999; & via'],
    // Not HTML.
    ['sotto i 25 °C e pH < 7 > 5', 'sotto i 25 °C e pH < 7 > 5'],
    ['ti voglio bene <3', 'ti voglio bene <3'],
    ['Più salute 💊👨‍👩‍👧', 'Più salute 💊👨‍👩‍👧'],
  ])('%j is %j', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  it.each([
    ['a script', 'Crema<script>alert(1)</script>'],
    ['a script with spaces', 'Crema<script type="x" >alert(1)</script  >'],
    ['a script in capitals', 'Crema<SCRIPT>alert(1)</ScRiPt>'],
    ['a script without an end', 'Crema<script>alert(1)'],
    ['a style', 'Crema<style>alert{}</style>'],
    ['a frame', 'Crema<iframe src="javascript:alert(1)"></iframe>'],
    ['a picture', 'Crema<img src=x onerror="alert(1)">'],
    ['a comment', 'Crema<!-- alert -->'],
    ['a script as entities', 'Crema&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a script as numbers', 'Crema&#60;script&#x3e;alert(1)&#60;/script&#62;'],
    ['a script with signs that are not seen', 'Crema<\u200bscript>alert(1)</\u0000script>'],
  ])('has no code in it: %s', (_what, text) => {
    expect(plain(text)).toBe('Crema')
  })

  it.each([
    '<scr<b>ipt>alert(1)</scr</b>ipt>',
    '<<b>b>x',
    '<img src=x ',
    '<a href="</b',
    '</script',
  ])('has no tag in it that others left: %s', (text) => {
    expect(plain(text)).not.toMatch(/<[a-z!/?]/i)
  })

  it.each([
    ['of control', 'Cre\u0000m\u0007a\u001b\u007f\u0085'],
    ['of the direction of writing', 'Cr\u202ee\u2066ma\u200f'],
    ['without width', 'Cr\u200be\ufeffma\u2060'],
    ['that are half of one', 'Cr\ud800ema\udc00'],
  ])('has no signs in it %s', (_what, text) => {
    expect(plain(text)).toBe('Crema')
  })

  it('is not longer than it may be, and ends with a whole word', () => {
    expect(plainText('a'.repeat(20), 20)).toBe('a'.repeat(20))
    expect(plainText('una crema per mani secche', 20)).toBe('una crema per mani…')
    expect(plainText('a'.repeat(21), 20)).toBe(`${'a'.repeat(19)}…`)
    expect(plainText(`${'a'.repeat(18)}💊💊`, 20)).toBe(`${'a'.repeat(18)}…`)
  })

  it.each([
    '<',
    '<script',
    '<script>',
    '</script',
    '&',
    '&#',
    ' ',
    '\n',
    '* *',
    '<b',
    '</p ',
    '\u200b<',
  ])('that was made to take long does not: %j', (piece) => {
    // What tries every end for every start would not come back within the test's time.
    expect(plainText(piece.repeat(250_000), 100_000).length).toBeLessThanOrEqual(100_000)
  })
})
