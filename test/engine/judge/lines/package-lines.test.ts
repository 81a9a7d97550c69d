import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn, ms } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';

const bcryptjs = `
  node:timers#list node:timers#list node:timers#list (idle) bcryptjs#hash bcryptjs#hash bcryptjs#hash bcryptjs#hash (idle) parse
  bcryptjs#hash    bcryptjs#hash    bcryptjs#hash    .      .             .             .             .             .      .
`;

test('a package that holds the loop with no own code on the stack stands on the own lines that import it', async () => {
  const { report } = await hotspotsIn({
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile(bcryptjs)),
    '/app/src/app.ts': "import { hash } from 'bcryptjs';\nconst bcrypt = require('bcryptjs/umd');\n",
  });
  assert.deepEqual(report.packages, [
    {
      name: 'bcryptjs',
      worstUs: ms(4),
      longCount: 2,
      imports: [
        { url: 'file:///app/src/app.ts', line: 1, seen: true },
        { url: 'file:///app/src/app.ts', line: 2, seen: true },
      ],
    },
  ]);
});

test('it is looked for where nothing was sampled too, but not in what is installed or built', async () => {
  const source = "\nimport { hash } from 'bcryptjs';\n";
  const { report } = await hotspotsIn({
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile(bcryptjs)),
    '/app/src/app.ts': '// not by bcryptjs',
    '/app/src/auth/hash.ts': source,
    '/app/dist/auth/hash.js': source,
    '/app/node_modules/passport/index.js': source,
  });
  assert.deepEqual(report.packages[0]?.imports, [{ url: '/app/src/auth/hash.ts', line: 2, seen: false }]);
});

test('a package whose part is under the threshold holds nothing', async () => {
  const { report } = await hotspotsIn(
    { '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile(bcryptjs)) },
    { threshold: 4 },
  );
  assert.deepEqual(report.packages, []);
});
