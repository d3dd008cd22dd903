import { afterEach, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { create, pageIn, removeAll } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';

const authors = '/api/library/author';
const members = '/api/register/member';

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'text of the scripts of the world', () => {
    const server = sharedServer({ engine, tables: service.tables });
    afterEach(async () => {
      await removeAll(server, authors);
      await removeAll(server, members);
    });

    /** The names of the authors that a search finds. */
    const found = async (q: string): Promise<unknown[]> =>
      pageIn(await server.request('GET', `${authors}?q=${encodeURIComponent(q)}`)).data.map(({ name }) => name);

    test.each([
      [
        '用户服务器部署在腾讯云',
        ['腾讯云', '用', '云', '部署', '服务器 腾讯', '用户服务器部署在腾讯云'],
        ['腾云', '讯腾', '署部'],
      ],
      ['東京都のパソコン教室', ['パソコン', '京都', 'ﾊﾟｿｺﾝ', 'の', '室'], ['ハソコン', 'バソ']],
      ['ฉันกินข้าวที่บ้าน', ['กินข้าว', 'กิน', 'บ้าน', 'น'], ['กัน', 'กินขาว']],
      ['ຂ້ອຍກິນເຂົ້າ', ['ກິນ', 'ເຂົ້າ'], ['ກັນ']],
      ['ខ្ញុំរៀនភាសាខ្មែរ', ['ភាសា', 'ខ្មែរ'], ['សាភា']],
      ['ကျွန်တော်မြန်မာစာဖတ်တယ်', ['မြန်မာ', 'စာ'], ['မာမြန်']],
      ['iPhone手机壳 2024年', ['iph', '手机', '机壳', '2024年', '年', '20'], ['phone', '24']],
      ['कुत्ता किताब', ['कुत्ता', 'किता'], ['कत्ता', 'कताब', 'ताब']],
      ['Große Łódź, Søren aus Đà Nẵng', ['GROSSE', 'große', 'lodz', 'soren', 'da nang', 'ŁÓDŹ'], ['osse']],
      ['Isparta ısparta Þór Ærø', ['ısparta', 'ISPARTA', 'isparta', 'thor', 'aero'], ['or']],
      ['שָׁלוֹם العَرَبِيَّة Ёлка', ['שלום', 'العربية', 'елка'], ['לום']],
    ])('%s is found by its parts, and by nothing else', async (name, parts, others) => {
      await create(server, authors, { name });
      for (const q of parts) expect([q, await found(q)]).toEqual([q, [name]]);
      for (const q of others) expect([q, await found(q)]).toEqual([q, []]);
    });

    test('a search of 200 letters without a space finds the text that has them', async () => {
      const letters = Array.from({ length: 200 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
      await create(server, authors, { name: letters });
      expect(await found(letters)).toEqual([letters]);
      expect(await found(letters.slice(0, -1) + '龥')).toEqual([]);
    });

    test('ignore_case tells apart what is read otherwise, and takes together what only differs in case and accents', async () => {
      for (const [email, same, others] of [
        ['ハハ', ['ﾊﾊ'], ['パパ', 'ババ']],
        ['กิน', [], ['กัน']],
        ['कुत्ता', [], ['कत्ता', 'किताब', 'कताब']],
        ['straße@x', ['STRASSE@x', 'strasse@X', 'STRAẞE@x'], []],
        ['ıŁØÞ', ['iłøþ', 'ILOTH', 'íłøþ'], []],
      ] as const) {
        const { id } = await create(server, members, { name: 'A', email });
        for (const one of same) {
          const answer = await server.request('POST', members, { name: 'B', email: one });
          expect(expectProblem(answer, 409, 'not_unique')).toMatchObject({ conflicting_id: id });
        }
        for (const one of others) await create(server, members, { name: 'B', email: one });
      }
    });
  });
}
