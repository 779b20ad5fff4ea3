import { readFileSync } from 'node:fs';

import { generatedFiles } from '../docs/write';

test.each(generatedFiles())('$file is what npm run docs makes', ({ file, content }) => {
	expect(readFileSync(file, 'utf8')).toBe(content);
});
