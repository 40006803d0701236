const bank = {
  rivers: [
    { text: 'Which river flows through Budapest?', answer: 'Danube' },
    { text: 'Which river has the largest basin?', answer: 'Amazon' },
    { text: 'Where does the Rhine end?', answer: 'North Sea' },
    { text: 'Which river passes Cairo?', answer: 'Nile' },
    { text: 'Which river forms Victoria Falls?', answer: 'Zambezi' },
    { text: 'Which river flows through Porto?', answer: 'Douro' },
    { text: 'Which river crosses Lyon beside the Rhône?', answer: 'Saône' },
  ],
  chess: [
    { text: 'How many squares has a board?', answer: '64' },
    { text: 'Which piece can castle?', answer: 'King and rook' },
    { text: 'What is a pawn worth?', answer: '1' },
    { text: 'Who moves first?', answer: 'White' },
    { text: 'Who was champion from 1985 to 2000?', answer: 'Kasparov' },
    { text: 'What is a stalemate?', answer: 'A draw' },
  ],
};

export async function questionsOn(topic) {
  return bank[topic] ?? [];
}

export async function listTopics() {
  return Object.keys(bank);
}
