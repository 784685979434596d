/** Reaction names (interface 2.4), each followed by its emoji: Unicode characters in the system's font. */
const TABLE = `
accordion 🪗 airplane ✈️ alien 👽 ambulance 🚑 anger 💢 angry 😠 anguished 😧 apple 🍎 archery 🏹
astonished 😲 atom ⚛️ avocado 🥑 axe 🪓 axolotl 🦎 backhand_up 👆 bacon 🥓 badminton 🏸 bagel 🥯 balloon 🎈
banana 🍌 bandage 🩹 banjo 🪕 baseball ⚾ basketball 🏀 bat 🦇 battery 🔋 beans 🫘 bear 🐻 bee 🐝 beer 🍺 bell 🔔
bento 🍱 bicycle 🚲 blue_circle 🔵 blueberries 🫐 bomb 💣 book 📖 boomerang 🪃 bouquet 💐 boxing 🥊 brain 🧠
bread 🍞 broccoli 🥦 broken_heart 💔 broom 🧹 bubble_tea 🧋 bug 🐛 bulb 💡 burger 🍔 bus 🚌 butterfly 🦋
cactus 🌵 cake 🍰 call_me 🤙 camel 🐫 camera 📷 candle 🕯️ candy 🍬 canoe 🛶 car 🚗 cards 🃏 carrot 🥕 cat 🐱
cd 💿 chair 🪑 champagne 🍾 chart 📈 check ✅ cheese 🧀 cherry 🍒 cherry_blossom 🌸 chess ♟️ chestnut 🌰
chipmunk 🐿️ chocolate 🍫 christmas_tree 🎄 clap 👏 clapper_board 🎬 climbing 🧗 cloud ☁️ clown 🤡
cocktail 🍸 coffee ☕ cold_face 🥶 comet ☄️ compass 🧭 confounded 😖 corn 🌽 cow 🐮 cowboy 🤠 crab 🦀
crocodile 🐊 croissant 🥐 cross_fingers 🤞 crown 👑 crying 😢 crystal_ball 🔮 curry 🍛 cyclone 🌀 dart 🎯
deciduous 🌳 deer 🦌 desert 🏜️ devil 😈 diagonal_mouth 🫤 die 🎲 dinosaur 🦕 diving 🤿 dizzy 💫 dna 🧬 dog 🐶
dolphin 🐬 donut 🍩 dotted_face 🫥 dove 🕊️ dragon 🐉 drooling 🤤 droplet 💧 drum 🥁 duck 🦆 dumpling 🥟
eagle 🦅 earth 🌍 egg 🥚 elephant 🐘 evergreen 🌲 exhaling 😮‍💨 expressionless 😑 eyes 👀 fire 🔥
fire_extinguisher 🧯 fire_truck 🚒 firecracker 🧨 fireworks 🎆 fish 🐟 fishing 🎣 fist ✊ flag 🚩 flamingo 🦩
flatbread 🫓 floppy 💾 flower 🌼 flushed 😳 flying_disc 🥏 fog 🌫️ football 🏈 fortune_cookie 🥠 four_leaf 🍀
fox 🦊 fries 🍟 frog 🐸 gaming 🎮 garlic 🧄 gear ⚙️ gem 💎 ghost 👻 gift 🎁 giraffe 🦒 globe 🌐 goat 🐐 golf ⛳
gorilla 🦍 grapes 🍇 green_circle 🟢 grimace 😬 grinning 😀 guitar 🎸 gun 🔫 hammer 🔨 hamster 🐹
hand_over_mouth 🤭 handshake 🤝 headphones 🎧 hear_no_evil 🙉 heart ❤️ heart_black 🖤 heart_blue 💙
heart_box 💝 heart_brown 🤎 heart_eyes 😍 heart_green 💚 heart_grow 💗 heart_hands 🫶 heart_on_fire ❤️‍🔥
heart_orange 🧡 heart_pink 🩷 heart_purple 💜 heart_white 🤍 heart_yellow 💛 hedgehog 🦔 helicopter 🚁
herb 🌿 hippo 🦛 holding_back_tears 🥹 honey 🍯 horse 🐴 hot_dog 🌭 hot_face 🥵 hot_pepper 🌶️ hourglass ⏳
hugging 🤗 hundred 💯 hushed 😯 ice 🧊 ice_cream 🍦 ice_skate ⛸️ infinity ♾️ innocent 😇 island 🏝️
jack_o_lantern 🎃 jellyfish 🪼 joystick 🕹️ juice 🧃 kangaroo 🦘 key 🔑 kite 🪁 kiwi 🥝 koala 🐨 lacrosse 🥍
ladder 🪜 laptop 💻 laugh 😂 leaves 🍃 left_fist 🤛 lemon 🍋 lightning 🌩️ lion 🦁 llama 🦙 lobster 🦞 lock 🔒
lollipop 🍭 long_drum 🪘 lotus 🪷 love_you 🤟 lying 🤥 magic_wand 🪄 magnet 🧲 magnify 🔍 mammoth 🦣 mango 🥭
map 🗺️ maple_leaf 🍁 martial_arts 🥋 mask 😷 mate 🧉 medal 🏅 melon 🍈 melting 🫠 mending_heart ❤️‍🩹
microbe 🦠 microphone 🎤 microscope 🔬 middle_finger 🖕 milk 🥛 milky_way 🌌 mind_blown 🤯 mirror 🪞 money 💰
money_mouth 🤑 monkey 🐵 monocle 🧐 moon 🌙 motor_scooter 🛵 motorcycle 🏍️ mountain ⛰️ mouse 🐭 muscle 💪
mushroom 🍄 music 🎵 nauseated 🤢 nazar 🧿 nerd 🤓 neutral 😐 newspaper 📰 no 🚫 no_mouth 😶 notes 🎶 octopus 🐙
ok 👌 onion 🧅 open_hands 👐 otter 🦦 owl 🦉 oyster 🦪 package 📦 palette 🎨 palm_down 🫳 palm_tree 🌴
palm_up 🫴 pancakes 🥞 panda 🐼 parachute 🪂 parrot 🦜 party 🥳 partying 🪩 peace ✌️ peach 🍑 peacock 🦚
pear 🍐 peeking 🫣 pencil ✏️ penguin 🐧 pensive 😔 persevere 😣 phone 📱 piano 🎹 pig 🐷 pill 💊 pin 📌 pinch 🤏
pineapple 🍍 ping_pong 🏓 pizza 🍕 pleading 🥺 point_at_you 🫵 point_down 👇 point_left 👈 point_right 👉
point_up ☝️ poop 💩 popcorn 🍿 pray 🙏 pretzel 🥨 rabbit 🐰 raccoon 🦝 race_car 🏎️ rage 😡 rainbow 🌈
rainbow_flag 🏳️‍🌈 raised_back 🤚 raised_eyebrow 🤨 raised_hands 🙌 ramen 🍜 recycle ♻️ red_circle 🔴
relieved 😌 revolving_hearts 💞 rhino 🦏 ribbon 🎀 right_fist 🤜 robot 🤖 rocket 🚀 rofl 🤣 rolling_eyes 🙄
rooster 🐓 rose 🌹 rugby 🏉 sad 🙁 safety_pin 🧷 sailboat ⛵ salad 🥗 salt 🧂 salute 🫡 sandwich 🥪
satellite 🛰️ saturn 🪐 saxophone 🎷 scissors ✂️ scream 😱 seal 🦭 see_no_evil 🙈 seedling 🌱 shaking_face 🫨
shark 🦈 sheep 🐑 shield 🛡️ ship 🚢 shrimp 🦐 shushing 🤫 skateboard 🛹 ski 🎿 skull 💀 skunk 🦨 sled 🛷
sleeping 😴 sleepy 😪 slightly_smile 🙂 sloth 🦥 smile 😄 smirk 😏 snail 🐌 snake 🐍 sneezing 🤧 snowflake ❄️
snowman ⛄ soap 🧼 soccer ⚽ softball 🥎 soup 🍲 spaghetti 🍝 sparkle ✨ sparkler 🎇 sparkling_heart 💖
speak_no_evil 🙊 speech_bubble 💬 speedboat 🚤 splayed_hand 🖐️ squid 🦑 star ⭐ star_struck 🤩
stethoscope 🩺 strawberry 🍓 sun ☀️ sunflower 🌻 sunglasses 😎 surf 🏄 sushi 🍣 swan 🦢 sweat_smile 😅 swim 🏊
syringe 💉 taco 🌮 tada 🎉 tamale 🫔 tangerine 🍊 target 🔘 tea 🍵 teddy_bear 🧸 telescope 🔭 tennis 🎾
test_flask ⚗️ test_tube 🧪 thinking 🤔 thought_bubble 💭 thread 🧵 thumbsdown 👎 thumbsup 👍 ticket 🎫
tomato 🍅 tongue 😛 toolbox 🧰 tornado 🌪️ tractor 🚜 train 🚆 trash 🗑️ triumph 😤 trophy 🏆 tropical_fish 🐠
truck 🚚 trumpet 🎺 tulip 🌷 turtle 🐢 two_hearts 💕 ufo 🛸 umbrella ☂️ unicorn 🦄 upside_down 🙃 vampire 🧛
violin 🎻 volcano 🌋 vulcan 🖖 waffle 🧇 warning ⚠️ water_wave 🌊 watermelon 🍉 wave 👋 weightlifting 🏋️
whale 🐳 wilted_flower 🥀 wink 😉 wolf 🐺 woozy 🥴 worm 🪱 worried 😟 wow 😮 wrap 🌯 wrench 🔧 writing ✍️
yarn 🧶 yawn 🥱 yo_yo 🪀 yoga 🧘 zap ⚡ zebra 🦓 zipper 🤐 zombie 🧟 zzz 💤
`

const cells = TABLE.trim().split(/\s+/)

/** Emoji by reaction name, in the order of the table. */
export const REACTION_EMOJI: ReadonlyMap<string, string> = new Map(
  Array.from({ length: cells.length / 2 }, (_, at) => [cells[at * 2]!, cells[at * 2 + 1]!]),
)

/** Names that people know from Slack, Mattermost and GitHub, for emoji in texts; reactions have the names above. */
const ALIASES = `
+1 👍 -1 👎 100 💯 angry_face 😠 arrow_down ⬇️ arrow_up ⬆️ arrows_counterclockwise 🔄 astonished_face 😲 beers 🍻 birthday 🎂 blush 😊 boom 💥 bow 🙇 calendar 📅
chart_with_upwards_trend 📈 clinking_glasses 🥂 computer 💻 construction 🚧 cry 😢 dancer 💃 exclamation ❗
face_with_rolling_eyes 🙄 facepalm 🤦 floppy_disk 💾 grin 😁 grinning_face 😀 hammer_and_wrench 🛠️ heart_face 😍 heavy_check_mark ✔️ heavy_plus_sign ➕
hourglass_flowing_sand ⏳ house 🏠 information_source ℹ️ joy 😂 kissing_heart 😘 large_blue_circle 🔵 large_green_circle 🟢 large_yellow_circle 🟡 link 🔗 loudspeaker 📢 mag 🔍 man_shrugging 🤷‍♂️
memo 📝 money_with_wings 💸 no_entry ⛔ no_entry_sign 🚫 ok_hand 👌 partying_face 🥳 point_up_2 👆 question ❓ raised_hand ✋ raising_hand 🙋
red_heart ❤️ robot_face 🤖 rotating_light 🚨 see_no_evil_monkey 🙈 shrug 🤷 skull_and_crossbones ☠️ slightly_smiling_face 🙂 smiley 😃
smiling_face 😊 sob 😭 sparkles ✨ stuck_out_tongue 😛 sunny ☀️ sweat 😓 thinking_face 🤔 thumbs_up 👍 thumbs_down 👎 traffic_light 🚦
white_check_mark ✅ white_circle ⚪ woman_shrugging 🤷‍♀️ x ❌
`

const aliases = ALIASES.trim().split(/\s+/)

export const EMOJI_ALIASES: ReadonlyMap<string, string> = new Map(
  Array.from({ length: aliases.length / 2 }, (_, at) => [aliases[at * 2]!, aliases[at * 2 + 1]!]),
)
